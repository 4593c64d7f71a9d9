package dev.inboxd.mail.message;

import dev.inboxd.mail.io.BulkReadStream;
import dev.inboxd.mail.io.Hex;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;

/** Decodes quoted-printable (RFC 2045 §6.7); an equals sign that escapes nothing is literal. */
final class QuotedPrintableInputStream extends BulkReadStream {
    private final InputStream encoded;
    private final Set<Defect> defects;
    private final byte[] raw = new byte[4 * 1024];
    private int pos;
    private int end;
    private boolean exhausted;
    /** Spaces from here that are known to be content. */
    private int spacesInLine;

    QuotedPrintableInputStream(InputStream encoded, Set<Defect> defects) {
        this.encoded = encoded;
        this.defects = defects;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int count = 0;
        while (count < length) {
            if (pos == end && (count > 0 || !fill())) {
                break;
            }
            byte b = raw[pos];
            if (b == '=') {
                int octet = escape();
                if (octet >= 0) {
                    target[offset + count++] = (byte) octet;
                }
            } else if ((b != ' ' && b != '\t') || !isTrailing()) {
                target[offset + count++] = b;
                pos++;
            }
        }
        return count == 0 && length > 0 ? -1 : count;
    }

    @Override
    public void close() throws IOException {
        encoded.close();
    }

    /**
     * Consumes an equals sign and the characters that belong to it.
     *
     * @return the octet, or -1 for a soft line break
     */
    private int escape() throws IOException {
        int octet = Hex.octet(peek(1), peek(2));
        if (octet >= 0) {
            pos += 3;
            return octet;
        }
        int next = 1 + spaces(1);
        int lineEnd = peek(next);
        if (lineEnd < 0 || lineEnd == '\n' || lineEnd == '\r') {
            pos = Math.min(end, pos + next + (lineEnd == '\r' && peek(next + 1) == '\n' ? 2 : 1));
            return -1;
        }
        defects.add(Defect.DAMAGED_ENCODING);
        pos++;
        return '=';
    }

    // RFC 2045 §6.7 rule 3: a relay added the white space at the end of a line.
    private boolean isTrailing() throws IOException {
        if (spacesInLine == 0) {
            int count = spaces(0);
            int next = peek(count);
            if (next < 0 || next == '\n' || next == '\r') {
                pos += count;
                return true;
            }
            spacesInLine = count;
        }
        spacesInLine--;
        return false;
    }

    private int spaces(int from) throws IOException {
        int count = 0;
        int c = peek(from);
        while (c == ' ' || c == '\t') {
            c = peek(from + ++count);
        }
        return count;
    }

    /** The octet at this distance, or -1 behind the end; a run longer than the buffer counts as content. */
    private int peek(int ahead) throws IOException {
        if (ahead >= raw.length - 4) {
            return 0;
        }
        while (pos + ahead >= end) {
            if (!fill()) {
                return -1;
            }
        }
        return raw[pos + ahead] & 0xFF;
    }

    private boolean fill() throws IOException {
        if (exhausted) {
            return false;
        }
        System.arraycopy(raw, pos, raw, 0, end - pos);
        end -= pos;
        pos = 0;
        int count = encoded.read(raw, end, raw.length - end);
        exhausted = count < 0;
        end += Math.max(0, count);
        return count > 0;
    }
}
