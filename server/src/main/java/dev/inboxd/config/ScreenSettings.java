package dev.inboxd.config;

import dev.inboxd.config.Setting.Default;
import dev.inboxd.tenant.organization.SecurityMode;
import java.net.URI;
import java.util.Optional;

/**
 * How received mail is screened for what may steer an agent.
 *
 * @param mode that of organizations that chose none
 * @param judge a service of the operator's that is asked as well
 * @param judgeRequired whether mail counts as one that cannot be judged while that service is silent
 */
public record ScreenSettings(SecurityMode mode, Optional<URI> judge, boolean judgeRequired) {
    static final Setting<SecurityMode> MODE = new Setting<>(
            "MESSAGE_SECURITY",
            SettingType.oneOf(SecurityMode.class),
            Default.of("off"),
            "What organizations that chose nothing do about mail that may steer an agent: off, monitor or hold it.");
    static final Setting<URI> URL = new Setting<>(
            "SCREEN_URL",
            SettingType.WEB_URL,
            Default.derived("the built-in rules alone"),
            "HTTP address of a service of yours that judges such mail beside the built-in rules.");
    static final Setting<Boolean> REQUIRED = new Setting<>(
            "SCREEN_REQUIRED",
            SettingType.SWITCH,
            Default.of("off"),
            "Whether mail is to be reviewed while the service at SCREEN_URL does not answer.");

    static ScreenSettings read(SettingValues values) {
        return new ScreenSettings(values.get(MODE), values.find(URL), values.get(REQUIRED));
    }

    /** Adds the faults of settings that do not go together. */
    static void check(SettingValues values) {
        if (values.find(REQUIRED).orElse(false) && !values.isGiven(URL)) {
            values.fault("INBOXD_SCREEN_REQUIRED is \"on\", which needs INBOXD_SCREEN_URL: "
                    + URL.form().allowed());
        }
    }
}
