package dev.inboxd.mailbox.search.segment;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/** Merges the postings of several segments, whose documents follow one another in time, into those of one. */
public final class SegmentMerger {
    private static final Comparator<Cursor> ORDER =
            Comparator.comparingLong(Cursor::key).thenComparingInt(cursor -> cursor.place);

    private final PostingsWriter out;
    private int[] documents = new int[64];
    private int count;

    private SegmentMerger(PostingsWriter out) {
        this.out = out;
    }

    /**
     * A segment to merge.
     *
     * @param blocks its postings blocks in order
     * @param renumbered the new numbers of its documents, ascending and above those of the segments before; -1 for a
     *     deleted one
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Source(Iterator<PostingsBlock> blocks, int[] renumbered) {}

    /** Writes the merged postings, the last block included. */
    public static void write(List<Source> sources, PostingsWriter out) {
        new SegmentMerger(out).write(sources);
    }

    private void write(List<Source> sources) {
        PriorityQueue<Cursor> cursors = new PriorityQueue<>(Math.max(1, sources.size()), ORDER);
        for (Source source : sources) {
            Cursor cursor = new Cursor(source, cursors.size());
            if (cursor.next()) {
                cursors.add(cursor);
            }
        }
        long key = Long.MIN_VALUE;
        while (!cursors.isEmpty()) {
            Cursor least = cursors.remove();
            if (least.key() != key) {
                out.add(key, documents, count);
                count = 0;
                key = least.key();
            }
            append(least);
            if (least.next()) {
                cursors.add(least);
            }
        }
        out.add(key, documents, count);
        out.end();
    }

    private void append(Cursor cursor) {
        int[] cursorDocuments = cursor.entries.documents();
        int most = count + cursor.entries.count();
        if (most > documents.length) {
            documents = Arrays.copyOf(documents, Math.max(most, documents.length * 2));
        }
        for (int i = 0; i < cursor.entries.count(); i++) {
            int document = cursor.renumbered[cursorDocuments[i]];
            if (document >= 0) {
                documents[count++] = document;
            }
        }
    }

    /** The position of the merge in one segment. */
    private static final class Cursor {
        private final Iterator<PostingsBlock> blocks;
        private final int[] renumbered;
        private final int place;
        private PostingsBlock.Entries entries = new PostingsBlock.Entries(new PostingsBlock(0, 0, new byte[0]));

        Cursor(Source source, int place) {
            this.blocks = source.blocks;
            this.renumbered = source.renumbered;
            this.place = place;
        }

        boolean next() {
            while (!entries.next()) {
                if (!blocks.hasNext()) {
                    return false;
                }
                entries = new PostingsBlock.Entries(blocks.next());
            }
            return true;
        }

        long key() {
            return entries.key();
        }
    }
}
