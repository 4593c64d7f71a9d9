package dev.inboxd.mail.url;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Percent-encoding (RFC 3986 §2.1) of UTF-8, with the sets of characters of the WHATWG URL Standard, section 1.3. What
 * is encoded already stays as it is.
 */
public final class UrlEncoding {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private UrlEncoding() {}

    /** A segment of a path. */
    static String path(String text) {
        return encoded(text, " \"#<>?^`{}");
    }

    /** A query. */
    public static String query(String text) {
        return encoded(text, " \"#<>'");
    }

    /** A fragment. */
    static String fragment(String text) {
        return encoded(text, " \"<>`");
    }

    /** A user name, with a password behind a colon. */
    static String user(String text) {
        return encoded(text, " \"#<>?^`{}/;=@[\\]|");
    }

    /** What stands behind the scheme of an address without a host, as in {@code mailto:}; spaces, too. */
    public static String opaque(String text) {
        return encoded(text, " ");
    }

    /** Without spaces and control characters at either end, and without tabs and ends of lines within. */
    public static String withoutControls(String text) {
        String bare = text.trim();
        StringBuilder stripped = new StringBuilder(bare.length());
        for (int i = 0; i < bare.length(); i++) {
            char c = bare.charAt(i);
            if (c != '\t' && c != '\n' && c != '\r') {
                stripped.append(c);
            }
        }
        return stripped.toString();
    }

    /** Octets of a header field that hold a URL: those beyond ASCII are encoded one by one, whatever they mean. */
    public static String location(String latin1) {
        StringBuilder ascii = new StringBuilder(latin1.length());
        for (byte octet : encodedOnce(latin1.getBytes(StandardCharsets.ISO_8859_1))) {
            if (octet >= 0) {
                ascii.append((char) octet);
            } else {
                ascii.append('%').append(HEX.toHexDigits(octet));
            }
        }
        return ascii.toString();
    }

    /**
     * Node writes a header in front of a text as UTF-8, also one that is given to it in octets of
     * UTF-8, so each letter beyond ASCII arrives encoded twice.
     */
    private static byte[] encodedOnce(byte[] octets) {
        String outer = utf8(octets);
        if (outer == null
                || outer.chars().allMatch(c -> c < 128)
                || outer.chars().anyMatch(c -> c > 255)) {
            return octets;
        }
        byte[] inner = outer.getBytes(StandardCharsets.ISO_8859_1);
        return utf8(inner) == null ? octets : inner;
    }

    private static @Nullable String utf8(byte[] octets) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(octets))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }

    /** The text with its percent-encoded octets read as UTF-8; a lone percent sign stays. */
    public static String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(octets.length);
        for (int i = 0; i < octets.length; i++) {
            if (octets[i] == '%'
                    && i + 2 < octets.length
                    && HexFormat.isHexDigit(octets[i + 1])
                    && HexFormat.isHexDigit(octets[i + 2])) {
                decoded.write(HexFormat.fromHexDigit(octets[i + 1]) << 4 | HexFormat.fromHexDigit(octets[i + 2]));
                i += 2;
            } else {
                decoded.write(octets[i]);
            }
        }
        return decoded.toString(StandardCharsets.UTF_8);
    }

    private static String encoded(String text, String special) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet > ' ' && octet < 127 && special.indexOf(octet) < 0) {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append(HEX.toHexDigits(octet));
            }
        }
        return encoded.toString();
    }
}
