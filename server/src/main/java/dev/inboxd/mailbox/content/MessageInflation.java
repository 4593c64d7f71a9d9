package dev.inboxd.mailbox.content;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates what {@link MessageDeflation#WRAPPED} deflated. Up to eight inflaters are reused with their buffers: each
 * has 40 KiB outside the heap, and a usual message fits into the buffer. Thread-safe.
 */
final class MessageInflation {
    private static final int MOST_FREE = 8;
    private static final int BUFFER = 16 << 10;

    private static final BlockingQueue<MessageInflation> FREE = new ArrayBlockingQueue<>(MOST_FREE);

    private final Inflater inflater = new Inflater();
    private final byte[] buffer = new byte[BUFFER];

    private MessageInflation() {}

    /**
     * The text that was deflated, in UTF-8.
     *
     * @throws IllegalStateException when this is no such form
     */
    static String text(byte[] deflated) {
        return run(deflated, MessageInflation::text);
    }

    /**
     * How many octets were deflated. Counted without memory for them.
     *
     * @throws IllegalStateException when this is no such form
     */
    static long size(byte[] deflated) {
        return run(deflated, MessageInflation::size);
    }

    @FunctionalInterface
    private interface Reader<T> {
        T read(MessageInflation inflation) throws DataFormatException;
    }

    private static <T> T run(byte[] deflated, Reader<T> reader) {
        MessageInflation pooled = FREE.poll();
        MessageInflation inflation = pooled != null ? pooled : new MessageInflation();
        boolean isKept = false;
        try {
            inflation.inflater.setInput(deflated);
            T result = reader.read(inflation);
            inflation.inflater.reset(); // holds nothing of the content any more
            isKept = FREE.offer(inflation);
            return result;
        } catch (DataFormatException broken) {
            throw new IllegalStateException("a stored message cannot be inflated", broken);
        } finally {
            if (!isKept) {
                inflation.inflater.end();
            }
        }
    }

    private String text() throws DataFormatException {
        int length = fill();
        if (inflater.finished()) {
            return new String(buffer, 0, length, StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(4 * BUFFER);
        while (true) {
            bytes.write(buffer, 0, length);
            if (inflater.finished()) {
                return bytes.toString(StandardCharsets.UTF_8);
            }
            length = fill();
        }
    }

    private long size() throws DataFormatException {
        long size = 0;
        while (!inflater.finished()) {
            size += fill();
        }
        return size;
    }

    /** Fills the buffer, as far as there is something for it. */
    private int fill() throws DataFormatException {
        int length = 0;
        while (length < BUFFER && !inflater.finished()) {
            int more = inflater.inflate(buffer, length, BUFFER - length);
            if (more == 0 && !inflater.finished()) {
                throw new DataFormatException("the end is missing");
            }
            length += more;
        }
        return length;
    }
}
