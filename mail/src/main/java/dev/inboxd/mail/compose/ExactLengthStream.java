package dev.inboxd.mail.compose;

import dev.inboxd.mail.io.BulkReadStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads content to its end and fails when it has another length than announced: the length of the message depends on
 * it.
 */
final class ExactLengthStream extends BulkReadStream {
    private final InputStream in;
    private long left;

    ExactLengthStream(InputStream in, long length) {
        this.in = in;
        this.left = length;
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
    public void close() throws IOException {
        in.close();
    }
}
