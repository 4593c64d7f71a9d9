package dev.inboxd.mail.charset;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** ISO-2022-JP (RFC 1468), which its escapes tell, with or without a label (ruling 137). */
public final class Iso2022Jp {
    /** The larger charset of Windows, with JIS X 0212 and the kana of half a width. */
    static final Charset CHARSET = Charset.forName("x-windows-50221");

    private static final char ESCAPE = 0x1B;

    private Iso2022Jp() {}

    /** Whether the octets are text of seven bits with an escape to characters of two octets, and such a character. */
    static boolean isUsed(byte[] bytes, int length) {
        boolean escapes = false;
        for (int i = 0; i < length; i++) {
            if (bytes[i] < 0) {
                return false;
            }
            escapes |= bytes[i] == ESCAPE
                    && i + 4 < length
                    && bytes[i + 1] == '$'
                    && (bytes[i + 2] == 'B' || bytes[i + 2] == '@')
                    && isOfPair((char) bytes[i + 3])
                    && isOfPair((char) bytes[i + 4]);
        }
        return escapes;
    }

    /** Whether the charset has escapes of its own, so that others in its text mean nothing. */
    static boolean isAlike(Charset charset) {
        return charset.name().contains("2022") || charset.name().startsWith("x-windows-5022");
    }

    /**
     * A value of a header in which what stands between escapes is UTF-8, and so is no sign of the field's syntax. What
     * would be ASCII there becomes U+FFFD: the structure is the same before and after (attack A9).
     *
     * @param octets one character for each octet
     */
    public static String inUtf8(String octets) {
        return octets.indexOf(ESCAPE) < 0 ? octets : new Header(octets).inUtf8();
    }

    private static final class Header {
        private final String octets;
        private final ByteBuffer bytes;
        private final StringBuilder all;
        private final CharsetDecoder decoder = CHARSET.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        private CharBuffer decoded = CharBuffer.allocate(64);

        Header(String octets) {
            this.octets = octets;
            bytes = ByteBuffer.wrap(octets.getBytes(StandardCharsets.ISO_8859_1));
            all = new StringBuilder(octets.length());
        }

        String inUtf8() {
            int i = 0;
            while (i < octets.length()) {
                int begin = octets.charAt(i) == ESCAPE ? behindEscape(octets, i) : i;
                if (begin == i) {
                    all.append(octets.charAt(i++));
                    continue;
                }
                int end = begin;
                while (!isShiftedBack(octets, i) && end < octets.length() && isOfPair(octets.charAt(end))) {
                    end++;
                }
                if (end > begin) {
                    addRun(i, end);
                }
                i = end;
            }
            return all.toString();
        }

        /** Adds the characters of an escape and what it is followed by. */
        private void addRun(int start, int end) {
            decoded = decoded.capacity() < end - start ? CharBuffer.allocate(2 * (end - start)) : decoded.clear();
            decoder.reset();
            decoder.decode(bytes.clear().position(start).limit(end), decoded, true);
            decoder.flush(decoded);
            decoded.flip();
            for (int i = 0; i < decoded.length(); i++) {
                char c = decoded.charAt(i);
                addUtf8(c < 0x80 || Character.isSurrogate(c) ? '\uFFFD' : c);
            }
        }

        /** RFC 3629 §3, for characters of two and three octets. */
        private void addUtf8(char c) {
            if (c < 0x800) {
                all.append((char) (0xC0 | c >> 6));
            } else {
                all.append((char) (0xE0 | c >> 12)).append((char) (0x80 | (c >> 6 & 0x3F)));
            }
            all.append((char) (0x80 | (c & 0x3F)));
        }
    }

    /** Where the text behind an escape begins; the escape itself for any other. */
    private static int behindEscape(String octets, int at) {
        if (octets.startsWith("$(D", at + 1)) {
            return at + 4;
        }
        boolean designated =
                octets.startsWith("$B", at + 1) || octets.startsWith("$@", at + 1) || isShiftedBack(octets, at);
        return designated || octets.startsWith("(I", at + 1) ? at + 3 : at;
    }

    private static boolean isShiftedBack(String octets, int at) {
        return octets.startsWith("(B", at + 1) || octets.startsWith("(J", at + 1);
    }

    private static boolean isOfPair(char c) {
        return c > ' ' && c < 0x7F;
    }
}
