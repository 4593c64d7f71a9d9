package dev.inboxd.mail.compose;

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

    /**
     * RFC 2049 §3: mailbox files insert a ">" before a line that starts with "From ", which breaks a signature over
     * it.
     */
    static final byte[] FROM = "From ".getBytes(StandardCharsets.US_ASCII);

    final String word;

    TransferEncoding(String word) {
        this.word = word;
    }

    /** Characters of the base64 form of this many octets, with CRLF between its lines. */
    static long base64Length(long octets) {
        long breaks = Math.max(0, Math.ceilDiv(octets, BASE64_LINE_OCTETS) - 1);
        return Math.ceilDiv(octets, 3L) * 4 + breaks * 2;
    }

    /** Whether the text has these octets at index {@code i}. */
    static boolean startsWith(byte[] text, int i, byte[] octets) {
        return text.length - i >= octets.length && Arrays.equals(text, i, i + octets.length, octets, 0, octets.length);
    }
}
