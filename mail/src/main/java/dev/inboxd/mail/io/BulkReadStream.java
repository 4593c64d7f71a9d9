package dev.inboxd.mail.io;

import java.io.IOException;
import java.io.InputStream;

/** A stream that implements bulk reads; reading a single octet is a bulk read of length 1. */
public abstract class BulkReadStream extends InputStream {
    @Override
    public final int read() throws IOException {
        byte[] octet = new byte[1];
        return read(octet, 0, 1) < 0 ? -1 : octet[0] & 0xFF;
    }

    @Override
    public abstract int read(byte[] buffer, int offset, int length) throws IOException;
}
