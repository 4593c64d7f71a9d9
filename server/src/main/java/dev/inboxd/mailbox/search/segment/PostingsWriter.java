package dev.inboxd.mailbox.search.segment;

import java.util.Arrays;
import java.util.function.Consumer;

/** Cuts postings, which come in the order of their keys, into blocks. */
public final class PostingsWriter {
    /** The largest encoded start of a posting, in bytes: key distance, number of documents and first document. */
    private static final int LARGEST_START = 10 + 3 + 5;

    private final Consumer<PostingsBlock> out;
    private final byte[] buffer = new byte[PostingsBlock.LARGEST];
    private int length;
    private int part;
    private long first;
    private long last;

    public PostingsWriter(Consumer<PostingsBlock> out) {
        this.out = out;
    }

    /** Adds the ascending documents of a key that is greater than the keys before. */
    public void add(long key, int[] documents, int count) {
        int done = 0;
        while (done < count) {
            if (buffer.length - length < LARGEST_START) {
                flush();
            }
            if (length == 0) {
                first = key;
                last = key;
            }
            int fitting = fitting(documents, done, count);
            number(key - last);
            number(fitting);
            int before = 0;
            for (int i = done; i < done + fitting; i++) {
                number(documents[i] - before);
                before = documents[i];
            }
            last = key;
            done += fitting;
            if (done < count) {
                flush();
            }
        }
    }

    /** Writes the last block. */
    public void end() {
        flush();
    }

    /** The number of documents, from that one on, that fit into this block; at least one fits. */
    private int fitting(int[] documents, int from, int count) {
        int room = buffer.length - length - 10 - 3;
        int before = 0;
        int i = from;
        while (i < count && room >= size(documents[i] - before)) {
            room -= size(documents[i] - before);
            before = documents[i];
            i++;
        }
        return i - from;
    }

    private static int size(int number) {
        return (38 - Integer.numberOfLeadingZeros(number | 1)) / 7;
    }

    private void number(long number) {
        long remainder = number;
        while (remainder >= 0x80) {
            buffer[length++] = (byte) (remainder | 0x80);
            remainder >>>= 7;
        }
        buffer[length++] = (byte) remainder;
    }

    private void flush() {
        if (length > 0) {
            out.accept(new PostingsBlock(first, part++, Arrays.copyOf(buffer, length)));
            length = 0;
        }
    }
}
