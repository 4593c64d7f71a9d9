package dev.inboxd.mailbox.content;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.Deflater;

/**
 * Deflates the stored parts of messages. Up to eight deflaters are reused: each has 256 KiB outside the heap, and
 * allocating them takes longer than deflating a usual message. Thread-safe.
 */
public final class MessageDeflation {
    /** With a header and a checksum (RFC 1950). */
    static final MessageDeflation WRAPPED = new MessageDeflation(false);
    /** Without header and checksum (RFC 1951). */
    public static final MessageDeflation BARE = new MessageDeflation(true);

    private static final int MOST_FREE = 8;
    private static final int BUFFER = 4_096;

    private final boolean bare;
    private final BlockingQueue<Deflater> free = new ArrayBlockingQueue<>(MOST_FREE);

    private MessageDeflation(boolean bare) {
        this.bare = bare;
    }

    /** The deflated form, compressed for speed rather than size. */
    public byte[] deflated(byte[] content) {
        Deflater pooled = free.poll();
        Deflater deflater = pooled != null ? pooled : new Deflater(Deflater.BEST_SPEED, bare);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        deflater.setInput(content);
        deflater.finish();
        byte[] buffer = new byte[BUFFER];
        while (!deflater.finished()) {
            bytes.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.reset(); // holds nothing of the content any more
        if (!free.offer(deflater)) {
            deflater.end();
        }
        return bytes.toByteArray();
    }
}
