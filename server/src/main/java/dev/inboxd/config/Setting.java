package dev.inboxd.config;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A setting: one row of {@link SettingTable}.
 *
 * @param name without prefix, such as {@code HTTP_PORT}
 * @param form the type of its value
 * @param byDefault the value when none is given
 * @param description its purpose, one sentence
 * @param <T> the Java type of the value
 */
public record Setting<T>(String name, SettingType<T> form, Default byDefault, String description) {
    static final String PREFIX = "INBOXD_";
    /** What is secret or may contain a password. */
    private static final Set<String> IN_FILES = Set.of(
            "SECRET_KEY",
            "DATABASE_URL",
            "RELAY",
            "BLOB_URL",
            "SIGNUP_TOKEN",
            "ADMIN_TOKEN",
            "OTLP_HEADERS",
            "X402_FACILITATOR_HEADERS");

    /**
     * The default of a setting, as text that its type parses; empty when there is no default.
     *
     * @param dev in dev mode
     * @param production in production mode
     * @param shown how help names the default when it is not a plain value, else empty
     */
    record Default(String dev, String production, String shown) {
        static Default of(String both) {
            return new Default(both, both, "");
        }

        static Default of(String dev, String production) {
            return new Default(dev, production, "");
        }

        /** No value, or one derived from other settings. */
        static Default derived(String shown) {
            return new Default("", "", shown);
        }
    }

    /** The environment variable. */
    public String variable() {
        return PREFIX + name;
    }

    /** The option of {@code serve}. */
    public String flag() {
        return "--" + name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The variable that names a file with the value; secrets have one. */
    public Optional<String> fileVariable() {
        return hasFile() ? Optional.of(variable() + "_FILE") : Optional.empty();
    }

    /** The option that names a file with the value. */
    public Optional<String> fileFlag() {
        return hasFile() ? Optional.of(flag() + "-file") : Optional.empty();
    }

    private boolean hasFile() {
        return IN_FILES.contains(name);
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
