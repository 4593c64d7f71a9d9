package dev.inboxd.mail.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What was done about a recipient (RFC 3464 §2.3.3). */
public enum DsnAction {
    /** It will not be delivered; nobody tries again. */
    FAILED,
    /** It is not delivered yet; somebody tries on. */
    DELAYED,
    /** It is where it belongs. */
    DELIVERED,
    /** It was passed on to a server that does not report. */
    RELAYED,
    /** It was passed on to several recipients. */
    EXPANDED;

    /** The action of a field's value, which may be followed by a comment; null when it is none. */
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
