package dev.inboxd.mailbox.search.segment;

/**
 * A block of a segment, stored in a row: postings in the order of their keys. Each has the distance from the key
 * before, the number of documents, and the distances between the documents, as numbers of seven bits a byte. The
 * postings of a key may continue in the next blocks, which then begin with the same key.
 *
 * @param key the first key in it
 * @param part its position in the segment, which distinguishes blocks with the same first key
 * @param content the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PostingsBlock(long key, int part, byte[] content) {
    /**
     * The largest content, in bytes: four rows fit on a page, below PostgreSQL's threshold for storing a value out of
     * line.
     */
    static final int LARGEST = 1_900;

    /** Reads the postings of a block from front to back. */
    public static final class Entries {
        private final byte[] content;
        private int position;
        private long key;
        private int[] documents = new int[16];
        private int count;

        public Entries(PostingsBlock block) {
            this.content = block.content;
            this.key = block.key;
        }

        /** Moves to the next key; false after the last. */
        public boolean next() {
            if (position == content.length) {
                return false;
            }
            key += number();
            count = (int) number();
            read();
            return true;
        }

        /** Moves on to a key. Returns false when the block does not have it; then no posting may be read. */
        public boolean next(long target) {
            while (position < content.length) {
                key += number();
                count = (int) number();
                if (key >= target) {
                    read();
                    return key == target;
                }
                skip();
            }
            return false;
        }

        private void read() {
            if (count > documents.length) {
                documents = new int[Math.max(count, documents.length * 2)];
            }
            int document = 0;
            for (int i = 0; i < count; i++) {
                document += (int) number();
                documents[i] = document;
            }
        }

        private void skip() {
            int end = position;
            for (int left = count; left > 0; end++) {
                left -= content[end] >= 0 ? 1 : 0;
            }
            position = end;
        }

        public long key() {
            return key;
        }

        /** The ascending documents of the key, in the first {@link #count()} elements; valid until the next move. */
        public int[] documents() {
            return documents;
        }

        public int count() {
            return count;
        }

        private long number() {
            long number = 0;
            for (int shift = 0; ; shift += 7) {
                byte b = content[position++];
                number |= (long) (b & 0x7F) << shift;
                if (b >= 0) {
                    return number;
                }
            }
        }
    }
}
