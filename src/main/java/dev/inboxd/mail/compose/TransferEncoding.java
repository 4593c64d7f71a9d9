package dev.inboxd.mail.compose;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The content transfer encodings (RFC 2045 §6). */
enum TransferEncoding {
    SEVEN_BIT("7bit"),
    EIGHT_BIT("8bit"),
    QUOTED_PRINTABLE("quoted-printable"),
    BASE64("base64");

    static final int LINE = 76; // RFC 2045 §6.7 (5) and §6.8
    private static final int BASE64_LINE_OCTETS = LINE / 4 * 3;
    private static final String HEX = "0123456789ABCDEF";

    /** RFC 2049 §3: mailbox files put a ">" before a line that starts so, and a signature over it breaks. */
    static final byte[] FROM = "From ".getBytes(StandardCharsets.US_ASCII);

    final String word;

    TransferEncoding(String word) {
        this.word = word;
    }

    /** The number of characters base64 with CRLF between its lines takes for so many octets. */
    static long base64Length(long octets) {
        long breaks = Math.max(0, Math.ceilDiv(octets, BASE64_LINE_OCTETS) - 1);
        return Math.ceilDiv(octets, 3L) * 4 + breaks * 2;
    }

    /** RFC 2045 §6.7 for text whose line breaks already are CRLF. */
    static byte[] quotedPrintable(byte[] text) {
        var out = new ByteArrayOutputStream(text.length + text.length / 8 + 16);
        int column = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n') {
                out.write('\r');
                out.write('\n');
                i++;
                column = 0;
                continue;
            }
            boolean literal = isLiteral(text, i, column);
            int width = literal ? 1 : 3;
            // The last place of a line is kept for the "=" of a soft break, unless the line ends right here anyway.
            if (column + width > LINE - (endsLine(text, i + 1) ? 0 : 1)) {
                out.write('=');
                out.write('\r');
                out.write('\n');
                column = 0;
                literal = isLiteral(text, i, column);
                width = literal ? 1 : 3;
            }
            write(out, text[i], literal);
            column += width;
        }
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, byte octet, boolean literal) {
        if (literal) {
            out.write(octet);
        } else {
            out.write('=');
            out.write(HEX.charAt(octet >> 4 & 15));
            out.write(HEX.charAt(octet & 15));
        }
    }

    private static boolean isLiteral(byte[] text, int i, int column) {
        byte c = text[i];
        if (c == ' ' || c == '\t') {
            return !endsLine(text, i + 1);
        }
        // RFC 2049 §3: a "." at the start of a line is lost by relays that forget to double it.
        return c > ' ' && c < 0x7f && c != '='
                && !(column == 0 && (c == '.' || startsWith(text, i, FROM)));
    }

    /** Whether the text goes on with these octets. */
    static boolean startsWith(byte[] text, int i, byte[] octets) {
        return text.length - i >= octets.length && Arrays.equals(text, i, i + octets.length, octets, 0, octets.length);
    }

    private static boolean endsLine(byte[] text, int i) {
        return i >= text.length || (text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n');
    }
}
