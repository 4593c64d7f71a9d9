package dev.inboxd.mailbox.search;

/**
 * A piece of a run, as a row holds it: entries in the order of their keys, each the distance from the key before, the
 * number of documents, and the distances between them, as numbers of seven bits a byte. The documents of a key may go on
 * in the blocks that follow, which then begin with the same key.
 *
 * @param key the first key in it
 * @param part its place in the run, which tells blocks of one key apart
 * @param content the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PostingsBlock(long key, int part, byte[] content) {
    /** Below PostgreSQL's threshold for storing a value elsewhere, with four rows a page. */
    static final int LARGEST = 1_900;

    /** Reads the entries of a block from front to back. */
    static final class Entries {
        private final byte[] content;
        private int position;
        private long key;
        private int[] documents = new int[16];
        private int count;

        Entries(PostingsBlock block) {
            this.content = block.content;
            this.key = block.key;
        }

        /** Moves to the next entry; false behind the last. */
        boolean next() {
            if (position == content.length) {
                return false;
            }
            key += number();
            count = (int) number();
            read();
            return true;
        }

        /** Moves on to the entry of a key; false when there is none, and then no entry may be asked for. */
        boolean next(long wanted) {
            while (position < content.length) {
                key += number();
                count = (int) number();
                if (key >= wanted) {
                    read();
                    return key == wanted;
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

        long key() {
            return key;
        }

        /** The ascending documents that hold the key, in the first {@link #count()} places; kept until the next. */
        int[] documents() {
            return documents;
        }

        int count() {
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
