package dev.inboxd.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A text that is never printed: it appears as {@code ***} in messages and log lines.
 *
 * @param value the text itself
 */
public record Secret(String value) {
    @Override
    public String toString() {
        return "***";
    }

    /** Compares in constant time, so that the time does not tell how much of the text was right. */
    @Override
    public boolean equals(Object object) {
        return object instanceof Secret(String that)
                && MessageDigest.isEqual(value.getBytes(StandardCharsets.UTF_8), that.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return 0; // reveals nothing about the text; secrets are not used as map keys
    }
}
