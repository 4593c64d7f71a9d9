package dev.inboxd.mail.compose;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Counts what passes. */
final class CountingOutputStream extends FilterOutputStream {
    private long count;

    CountingOutputStream(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int octet) throws IOException {
        out.write(octet);
        count++;
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        out.write(octets, offset, length);
        count += length;
    }

    long count() {
        return count;
    }
}
