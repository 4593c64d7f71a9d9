package dev.inboxd.mail.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Action taken for a recipient (RFC 3464 §2.3.3). */
public enum DsnAction {
    /** It is not delivered, and there are no more attempts. */
    FAILED,
    /** It is not delivered yet; attempts continue. */
    DELAYED,
    /** It is delivered. */
    DELIVERED,
    /** It was forwarded to a server that does not report. */
    RELAYED,
    /** It was forwarded to several recipients. */
    EXPANDED;

    /** The action of a field's value, which may be followed by a comment; null for any other value. */
    static @Nullable DsnAction of(String value) {
        int end = 0;
        while (end < value.length() && Character.isLetter(value.charAt(end))) {
            end++;
        }
        return switch (value.substring(0, end).toLowerCase(Locale.ROOT)) {
            case "failed", "failure" -> FAILED;
            case "delayed" -> DELAYED;
            case "delivered" -> DELIVERED;
            case "relayed" -> RELAYED;
            case "expanded" -> EXPANDED;
            default -> null;
        };
    }
}
