package dev.inboxd.mailbox.content;

import dev.inboxd.mail.io.BulkReadStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Concatenates sections of octets. A section is opened when the stream reaches it, and only as far as it is wanted.
 */
final class ConcatenatedStream extends BulkReadStream {
    private final List<Section> sections;
    private int next;
    private long skip;
    private long left;
    private @Nullable InputStream current;

    /** A range of octets of the whole. */
    interface Section {
        /** The number of octets. */
        long length();

        /** Opens the octets from the offset on; at most {@code most} of them will be read. */
        InputStream open(long offset, long most) throws IOException;
    }

    /** At most {@code most} octets of all sections together, from the offset on. */
    ConcatenatedStream(List<Section> sections, long offset, long most) {
        this.sections = List.copyOf(sections);
        this.skip = offset;
        this.left = most;
        while (next < sections.size() && skip >= sections.get(next).length()) {
            skip -= sections.get(next++).length();
        }
    }

    /** Opens the first section, so that an unreachable store is noticed before the answer has begun. */
    void begin() throws IOException {
        if (left > 0 && next < sections.size()) {
            current = sections.get(next++).open(skip, left);
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
