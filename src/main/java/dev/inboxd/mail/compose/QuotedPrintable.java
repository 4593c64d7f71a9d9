package dev.inboxd.mail.compose;

import java.io.ByteArrayOutputStream;

/** Quoted-printable (RFC 2045 §6.7) for text whose line breaks already are CRLF, at once or piece by piece. */
final class QuotedPrintable {
    /** An octet is written when so many behind it are known: whether a line begins with "From " is seen at its first. */
    private static final int AHEAD = TransferEncoding.FROM.length;

    private static final String HEX = "0123456789ABCDEF";

    private final ByteArrayOutputStream out;
    private final boolean guarded;
    private int column;

    /** @param guarded whether no line begins with two dashes, as a delimiter of anybody's does (RFC 2046 §5.1.1) */
    QuotedPrintable(int size, boolean guarded) {
        this.out = new ByteArrayOutputStream(size);
        this.guarded = guarded;
    }

    /** A whole text. */
    static byte[] of(byte[] text) {
        var encoder = new QuotedPrintable(text.length + text.length / 8 + 16, false);
        encoder.encode(text, true);
        return encoder.taken();
    }

    /** What was written since the last time. */
    byte[] taken() {
        var octets = out.toByteArray();
        out.reset();
        return octets;
    }

    /**
     * Writes what goes on with these octets.
     *
     * @param last whether the text ends with them
     * @return how many were written; the others have to come again, with more behind them
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
            // The last place of a line is kept for the "=" of a soft break, unless the line ends right here anyway.
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
        // RFC 2049 §3: a "." at the start of a line is lost by relays that forget to double it.
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
