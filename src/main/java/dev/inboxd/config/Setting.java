package dev.inboxd.config;

import java.util.Locale;
import java.util.Optional;

/**
 * One row of the table of settings.
 *
 * @param name the name without prefix, {@code HTTP_PORT}
 * @param form which values there are
 * @param byDefault the value when none is given
 * @param description what it is for, one sentence
 * @param <T> the type of its value
 */
public record Setting<T>(String name, SettingType<T> form, Default byDefault, String description) {
    static final String PREFIX = "INBOXD_";

    /**
     * What holds when a setting is not given, as text that the form reads; empty for nothing.
     *
     * @param dev in dev mode
     * @param production in production mode
     * @param shown how help names it when it is not a plain text, else empty
     */
    record Default(String dev, String production, String shown) {
        static Default of(String both) {
            return new Default(both, both, "");
        }

        static Default of(String dev, String production) {
            return new Default(dev, production, "");
        }

        /** Nothing, or something made from other settings. */
        static Default derived(String shown) {
            return new Default("", "", shown);
        }
    }

    public String variable() {
        return PREFIX + name;
    }

    public String flag() {
        return "--" + name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Optional<String> defaultIn(Settings.Mode mode) {
        String text = switch (mode) {
            case DEV -> byDefault.dev;
            case PRODUCTION -> byDefault.production;
        };
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** The default in words, for help. */
    public String shownDefault() {
        if (!byDefault.shown.isEmpty()) {
            return byDefault.shown;
        }
        return byDefault.dev.equals(byDefault.production)
                ? byDefault.dev
                : word(byDefault.dev) + " in dev, " + word(byDefault.production) + " in production";
    }

    private static String word(String text) {
        return text.isEmpty() ? "none" : text;
    }
}
