package dev.inboxd.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A text that is never shown: it prints as {@code ***} wherever it is joined to a message or a log line.
 *
 * @param value the text itself
 */
public record Secret(String value) {
    @Override
    public String toString() {
        return "***";
    }

    /** Compares in a time that does not tell how much of the text was right. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Secret(String that)
                && MessageDigest.isEqual(value.getBytes(StandardCharsets.UTF_8), that.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return 0; // says nothing about the text; secrets are no keys of maps
    }
}
