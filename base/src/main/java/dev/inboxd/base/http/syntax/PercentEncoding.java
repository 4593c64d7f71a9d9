package dev.inboxd.base.http.syntax;

import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Strict percent-decoding (RFC 3986 §2.1). */
public final class PercentEncoding {
    private PercentEncoding() {}

    /**
     * Decodes a text once.
     *
     * @param plusIsSpace true for a query (the form encoding); in a path a plus is a plus
     * @return null when an escape is broken, the bytes are not UTF-8 (overlong forms included), or the result holds
     *     U+0000, which PostgreSQL cannot store
     */
    public static @Nullable String decode(String text, boolean plusIsSpace) {
        int i = 0;
        while (i < text.length() && isPlain(text.charAt(i), plusIsSpace)) {
            i++;
        }
        return i == text.length() ? text : decodeFrom(text, i, plusIsSpace);
    }

    /** Encodes one segment of a path or one word of a query; an {@code @} stays readable, as RFC 3986 §3.3 allows. */
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%40", "@");
    }

    private static boolean isPlain(char c, boolean plusIsSpace) {
        return c != '%' && c > ' ' && c < 0x7F && !(plusIsSpace && c == '+');
    }

    private static @Nullable String decodeFrom(String text, int start, boolean plusIsSpace) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (i < start || isPlain(c, plusIsSpace)) {
                bytes.put((byte) c);
            } else if (c == '+') {
                bytes.put((byte) ' ');
            } else if (c == '%' && i + 2 < text.length()) {
                int octet = hex(text.charAt(i + 1)) << 4 | hex(text.charAt(i + 2));
                if (octet <= 0) {
                    return null;
                }
                bytes.put((byte) octet);
                i += 2;
            } else {
                return null;
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException malformed) {
            return null;
        }
    }

    /** The value of a hexadecimal digit, or a negative number, which stays negative when it is shifted and joined. */
    private static int hex(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = c | 0x20;
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : Integer.MIN_VALUE >> 4;
    }
}
