package dev.inboxd.smtp.client;

import org.jspecify.annotations.Nullable;

/**
 * The reply of the other server to a command.
 *
 * @param code the reply code (RFC 5321 §4.2), 200 to 599
 * @param enhancedStatus the enhanced status code (RFC 3463) such as {@code 5.1.1}, or null
 * @param text the text of all lines without both codes, no control characters, at most 1,000 characters
 */
public record ServerReply(int code, @Nullable String enhancedStatus, String text) {
    /** Whether the command succeeded (2yz). */
    public boolean isPositive() {
        return code / 100 == 2;
    }

    /** Whether the failure is transient (4yz). */
    public boolean isTransient() {
        return code / 100 == 4;
    }

    /** Whether the failure is permanent (5yz). */
    public boolean isPermanent() {
        return code / 100 == 5;
    }

    /** The reply on one line, as for a log or a bounce. */
    @Override
    public String toString() {
        return code + (enhancedStatus == null ? "" : " " + enhancedStatus) + (text.isEmpty() ? "" : " " + text);
    }
}
