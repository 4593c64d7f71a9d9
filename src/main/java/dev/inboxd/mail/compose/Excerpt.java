package dev.inboxd.mail.compose;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Some octets of a larger content, which stay where they are.
 *
 * @param from the first
 * @param to behind the last
 */
record Excerpt(Content whole, long from, long to) implements Content {
    @Override
    public long length() {
        return to - from;
    }

    @Override
    public InputStream open() throws IOException {
        InputStream in = whole.open();
        in.skipNBytes(from);
        return to == whole.length() ? in : new Limited(in, length());
    }

    private static final class Limited extends FilterInputStream {
        private long left;

        Limited(InputStream in, long length) {
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
            if (left == 0 && length > 0) {
                return -1;
            }
            int count = in.read(buffer, offset, (int) Math.min(length, left));
            left -= Math.max(count, 0);
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
}
