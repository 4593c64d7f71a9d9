package dev.inboxd.mail.io;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The beginning of another stream. */
public final class BoundedStream extends FilterInputStream {
    private long left;

    /** A stream of the first {@code length} octets; closing it closes the other one. */
    public BoundedStream(InputStream in, long length) {
        super(in);
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        int octet = left > 0 ? super.read() : -1;
        left -= octet < 0 ? 0 : 1;
        return octet;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (left <= 0) {
            return length == 0 ? 0 : -1;
        }
        int count = super.read(buffer, offset, (int) Math.min(length, left));
        left -= Math.max(count, 0);
        return count;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = super.skip(Math.min(count, left));
        left -= skipped;
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
