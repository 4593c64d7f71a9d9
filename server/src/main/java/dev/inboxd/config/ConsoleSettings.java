package dev.inboxd.config;

import dev.inboxd.config.Setting.Default;
import dev.inboxd.console.session.ConsoleAccess;
import java.net.URI;
import java.util.Optional;

/**
 * The pages for people.
 *
 * @param access who sees them
 * @param contentUrl another origin of this server, from which formatted mail is shown; empty where none was given
 */
public record ConsoleSettings(ConsoleAccess access, Optional<URI> contentUrl) {
    static final Setting<ConsoleAccess> ACCESS = new Setting<>(
            "CONSOLE",
            SettingType.oneOf(ConsoleAccess.class),
            Default.of("open", "sign-in"),
            "The pages at /console: open by a token that the server prints (dev only), behind a sign-in by mail,"
                    + " or off.");
    static final Setting<URI> CONTENT_URL = new Setting<>(
            "CONTENT_URL",
            SettingType.WEB_URL,
            Default.derived("the other one of localhost and 127.0.0.1 in dev; else formatted mail is not shown"),
            "Another name of this server, of another site, from which the console shows formatted mail.");

    static ConsoleSettings read(SettingValues values) {
        return new ConsoleSettings(values.get(ACCESS), values.find(CONTENT_URL));
    }

    /** Adds the faults of settings that do not go together. */
    static void check(SettingValues values) {
        boolean production = values.find(SettingTable.MODE).equals(Optional.of(Settings.Mode.PRODUCTION));
        if (production && values.find(ACCESS).equals(Optional.of(ConsoleAccess.OPEN))) {
            values.fault("INBOXD_CONSOLE is \"open\"; production allows sign-in and off, because the one token"
                    + " of an open console opens every organization");
        }
        values.find(CONTENT_URL)
                .filter(url -> values.find(SettingTable.PUBLIC_URL)
                        .map(URI::getHost)
                        .equals(Optional.ofNullable(url.getHost())))
                .ifPresent(url -> values.fault("INBOXD_CONTENT_URL is \"" + url + "\", which has the host of"
                        + " INBOXD_PUBLIC_URL; name another one, so that mail cannot reach the console's cookies"));
    }
}
