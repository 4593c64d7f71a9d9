package dev.inboxd.smtp.client;

import org.jspecify.annotations.Nullable;

/**
 * What the other server said.
 *
 * @param code the reply code (RFC 5321 §4.2), 200 to 599
 * @param enhancedStatus the enhanced status code (RFC 3463) such as {@code 5.1.1}, or null
 * @param text the words of all lines without both codes, no control characters, at most 1,000 characters
 */
public record ServerReply(int code, @Nullable String enhancedStatus, String text) {
    /** The command was done (2xx). */
    public boolean isPositive() {
        return code / 100 == 2;
    }

    /** Later may do (4xx). */
    public boolean isTransient() {
        return code / 100 == 4;
    }

    /** Trying again is pointless (5xx). */
    public boolean isPermanent() {
        return code / 100 == 5;
    }

    /** On one line, as in a log or a bounce. */
    @Override
    public String toString() {
        return code + (enhancedStatus == null ? "" : " " + enhancedStatus) + (text.isEmpty() ? "" : " " + text);
    }
}
