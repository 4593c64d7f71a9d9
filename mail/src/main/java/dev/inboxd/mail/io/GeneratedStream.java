package dev.inboxd.mail.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A stream whose octets are generated while they are read. */
public abstract class GeneratedStream extends BulkReadStream {
    private byte[] generated = new byte[0];
    private int position;

    /** Generates the next octets, perhaps none; null at the end. */
    protected abstract byte @Nullable [] make() throws IOException;

    @Override
    public final int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (position == generated.length) {
            byte[] next = make();
            if (next == null) {
                return -1;
            }
            generated = next;
            position = 0;
        }
        int count = Math.min(length, generated.length - position);
        System.arraycopy(generated, position, buffer, offset, count);
        position += count;
        return count;
    }
}
