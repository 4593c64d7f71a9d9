package dev.inboxd.mail.compose;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Quoted-printable (RFC 2045 §6.7) of what somebody else composed, encoded as it is read. */
final class QuotedPrintableStream extends InputStream {
    private static final int AT_ONCE = 16 * 1024;

    private final InputStream in;
    private final QuotedPrintable encoder = new QuotedPrintable(AT_ONCE + AT_ONCE / 8, true);
    private byte[] rest = new byte[0];
    private byte[] encoded = new byte[0];
    private int position;
    private boolean ended;

    /** Encodes the stream, which is closed with this one. */
    QuotedPrintableStream(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        var octet = new byte[1];
        return read(octet, 0, 1) < 0 ? -1 : octet[0] & 0xFF;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (position == encoded.length) {
            if (ended) {
                return -1;
            }
            encodeMore();
        }
        int count = Math.min(length, encoded.length - position);
        System.arraycopy(encoded, position, buffer, offset, count);
        position += count;
        return count;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private void encodeMore() throws IOException {
        var text = Arrays.copyOf(rest, rest.length + AT_ONCE);
        int count = in.readNBytes(text, rest.length, AT_ONCE);
        ended = count < AT_ONCE;
        text = ended ? Arrays.copyOf(text, rest.length + count) : text;
        rest = Arrays.copyOfRange(text, encoder.encode(text, ended), text.length);
        encoded = encoder.taken();
        position = 0;
    }
}
