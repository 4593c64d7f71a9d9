package dev.inboxd.base.blob;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A source of announced length that notes whether it ended early; readers that trust the length do not report it. */
final class LengthCheckedStream extends FilterInputStream {
    private final long size;
    private long position;
    private long marked;
    private boolean shorter;

    LengthCheckedStream(InputStream in, long size) {
        super(in);
        this.size = size;
    }

    /** Whether the end came before the announced length. */
    boolean wasShorter() {
        return shorter;
    }

    /** Whether the source goes on behind the announced length; call it once that length was read. */
    boolean isLonger() throws IOException {
        return in.read() >= 0;
    }

    @Override
    public int read() throws IOException {
        int octet = super.read();
        advance(octet < 0 ? -1 : 1);
        return octet;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        advance(count);
        return count;
    }

    @Override
    public synchronized void mark(int limit) {
        super.mark(limit);
        marked = position;
    }

    @Override
    public synchronized void reset() throws IOException {
        super.reset();
        position = marked;
    }

    private void advance(int count) {
        shorter |= count < 0 && position < size;
        position += Math.max(count, 0);
    }
}
