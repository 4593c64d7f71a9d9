package dev.inboxd.mail.compose;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads content to its end and fails when that is not where it was announced: the message's length was said before. */
final class ExactStream extends FilterInputStream {
    private long left;

    ExactStream(InputStream in, long length) {
        super(in);
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        var octet = new byte[1];
        return read(octet, 0, 1) < 0 ? -1 : octet[0] & 0xFF;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = in.read(buffer, offset, length);
        left -= Math.max(count, 0);
        if (left < 0 || (count < 0 && left > 0)) {
            throw new IOException("An attachment is not as long as it announced, by " + left + " octets");
        }
        return count;
    }

    @Override
    public long skip(long count) throws IOException {
        return readNBytes((int) Math.min(count, 8 * 1024)).length;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
