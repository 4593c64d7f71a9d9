package dev.inboxd.mailbox.message;

import dev.inboxd.platform.io.BulkReadStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stretches of octets one behind the other; each is opened when its turn comes, and only as far as it is wanted. */
final class ConcatenatedStream extends BulkReadStream {
    private final List<Section> stretches;
    private int next;
    private long skip;
    private long left;
    private @Nullable InputStream current;

    /** Some octets of the whole. */
    interface Section {
        /** How many. */
        long length();

        /** Those from the offset on; no more than so many will be read. */
        InputStream open(long offset, long wanted) throws IOException;
    }

    /** At most so many octets of all stretches from the offset on. */
    ConcatenatedStream(List<Section> stretches, long offset, long wanted) {
        this.stretches = List.copyOf(stretches);
        this.skip = offset;
        this.left = wanted;
        while (next < stretches.size() && skip >= stretches.get(next).length()) {
            skip -= stretches.get(next++).length();
        }
    }

    /** Opens what comes first, so that a store that is away is noticed before anything is answered. */
    void begin() throws IOException {
        if (left > 0 && next < stretches.size()) {
            current = stretches.get(next++).open(skip, left);
            skip = 0;
        }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (left > 0) {
            if (current == null) {
                begin();
            }
            if (current == null) {
                return -1;
            }
            int count = current.read(buffer, offset, (int) Math.min(length, left));
            if (count >= 0) {
                left -= count;
                return count;
            }
            close();
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        if (current != null) {
            current.close();
            current = null;
        }
    }
}
