package dev.inboxd.mail.compose;

import java.io.ByteArrayOutputStream;

/** Quoted-printable (RFC 2045 §6.7) for text with CRLF line breaks, at once or in blocks. */
final class QuotedPrintable {
    /**
     * Octets that must be known behind an octet before it is written: the first octet of a line depends on whether the
     * line begins with "From ".
     */
    private static final int AHEAD = TransferEncoding.FROM.length;

    private static final String HEX = "0123456789ABCDEF";

    private final ByteArrayOutputStream out;
    private final boolean guarded;
    private int column;

    /** @param guarded whether no line may begin with two dashes, as every MIME delimiter does (RFC 2046 §5.1.1) */
    QuotedPrintable(int size, boolean guarded) {
        this.out = new ByteArrayOutputStream(size);
        this.guarded = guarded;
    }

    /** Encodes a whole text. */
    static byte[] of(byte[] text) {
        var encoder = new QuotedPrintable(text.length + text.length / 8 + 16, false);
        encoder.encode(text, true);
        return encoder.drain();
    }

    /** The output since the last call. */
    byte[] drain() {
        var octets = out.toByteArray();
        out.reset();
        return octets;
    }

    /**
     * Encodes a block of the text.
     *
     * @param last whether the text ends with this block
     * @return the number of octets encoded; pass the rest again, with more behind it
     */
    int encode(byte[] text, boolean last) {
        int i = 0;
        for (int end = last ? text.length : text.length - AHEAD; i < end; i++) {
            if (text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n') {
                out.write('\r');
                out.write('\n');
                i++;
                column = 0;
                continue;
            }
            boolean literal = isLiteral(text, i);
            // The last column is reserved for the "=" of a soft break, unless the line ends right here anyway.
            if (column + width(literal) > TransferEncoding.LINE - (endsLine(text, i + 1) ? 0 : 1)) {
                out.write('=');
                out.write('\r');
                out.write('\n');
                column = 0;
                literal = isLiteral(text, i);
            }
            write(text[i], literal);
            column += width(literal);
        }
        return i;
    }

    private static int width(boolean literal) {
        return literal ? 1 : 3;
    }

    private void write(byte octet, boolean literal) {
        if (literal) {
            out.write(octet);
        } else {
            out.write('=');
            out.write(HEX.charAt(octet >> 4 & 15));
            out.write(HEX.charAt(octet & 15));
        }
    }

    private boolean isLiteral(byte[] text, int i) {
        byte c = text[i];
        if (c == ' ' || c == '\t') {
            return !endsLine(text, i + 1);
        }
        // RFC 2049 §3: relays that forget dot-stuffing lose a "." at the start of a line.
        return c > ' '
                && c < 0x7f
                && c != '='
                && !(column == 0
                        && (c == '.'
                                || isDelimiter(text, i)
                                || TransferEncoding.startsWith(text, i, TransferEncoding.FROM)));
    }

    private boolean isDelimiter(byte[] text, int i) {
        return guarded && text[i] == '-' && i + 1 < text.length && text[i + 1] == '-';
    }

    private static boolean endsLine(byte[] text, int i) {
        return i >= text.length || (text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n');
    }
}
