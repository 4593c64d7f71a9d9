package dev.inboxd.net;

import java.util.Locale;
import java.util.Set;

/**
 * A header field to send (RFC 9110 §5). The constructor is the last line of defence: it refuses everything that could
 * start a second field, end the header or change the framing of the message.
 *
 * @param name a token; not a field that frames or routes the message, because those belong to the client
 * @param value visible ASCII with inner spaces and tabs
 */
public record RequestHeader(String name, String value) {
    // RFC 9110 §7 and RFC 9112 §6: routing, connection and framing.
    private static final Set<String> FRAMING = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "te",
            "trailer",
            "upgrade",
            "expect",
            "proxy-connection",
            "proxy-authorization");

    /** Checks both parts. A fault here is a bug of the caller, who should have reported it to the user. */
    public RequestHeader {
        if (!isName(name) || FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("not a header field that may be set: " + name.length() + " characters");
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException("not a valid value for header field " + name);
        }
    }

    /** Whether the text is a field name: a token (RFC 9110 §5.1, §5.6.2). */
    public static boolean isName(String text) {
        return !text.isEmpty() && text.chars().allMatch(RequestHeader::isTokenCharacter);
    }

    /** Whether the text is a field value (RFC 9110 §5.5) in ASCII: no control characters, no space at either end. */
    public static boolean isValue(String text) {
        return text.equals(text.strip()) && text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 127));
    }

    /** The name alone: values of custom fields are usually secrets. */
    @Override
    public String toString() {
        return name;
    }

    private static boolean isTokenCharacter(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
    }
}
