package dev.inboxd.mail.compose;

import java.util.Locale;
import java.util.Set;

/**
 * A header field of the caller.
 *
 * @param name the field name (RFC 5322 §2.2)
 * @param value the decoded value, on one line; the composer encodes and folds it
 */
public record CustomHeaderField(String name, String value) {
    /** A line with encoded words may have 76 characters (RFC 2047 §2), the colon included. */
    static final int MAX_NAME = 75;

    private static final Set<String> RESERVED = Set.of(
            "from",
            "sender",
            "to",
            "cc",
            "bcc",
            "reply-to",
            "subject",
            "date",
            "message-id",
            "in-reply-to",
            "references",
            "mime-version",
            "received",
            "return-path",
            "dkim-signature",
            "authentication-results");

    /** Whether the composer or a server writes this field itself, so that a caller may not set it. */
    public static boolean isReserved(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        return RESERVED.contains(lower) || lower.startsWith("content-") || lower.startsWith("arc-");
    }

    /** Refuses a name that is not a token, a reserved name, and a value that could start another field. */
    void check() {
        var field = "headers." + name;
        if (!SafeText.isToken(name) || name.length() > MAX_NAME) {
            throw new MalformedFieldException(
                    "headers", "has a name that is no token of up to " + MAX_NAME + " characters");
        }
        if (isReserved(name)) {
            throw new MalformedFieldException(field, "is set by the server");
        }
        SafeText.header(field, value);
    }
}
