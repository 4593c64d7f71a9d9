package dev.inboxd.base.blob;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A range of a file, which ends early where the file does. */
final class FileRange extends InputStream {
    private final FileChannel file;
    private final long end;
    private long position;

    /** Closing the range closes the file. */
    FileRange(FileChannel file, long offset, long length) {
        this.file = file;
        this.position = offset;
        this.end = offset + length;
    }

    @Override
    public int read() throws IOException {
        byte[] octet = new byte[1];
        return read(octet, 0, 1) < 0 ? -1 : octet[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int readable = (int) Math.min(length, end - position);
        int count = readable == 0 ? -1 : file.read(ByteBuffer.wrap(buffer, offset, readable), position);
        position += Math.max(count, 0);
        return count;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
