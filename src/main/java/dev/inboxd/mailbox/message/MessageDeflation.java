package dev.inboxd.mailbox.message;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.Deflater;

/**
 * Deflates what is stored of messages. Some deflaters are used again: each has 256 KiB outside the heap, and to be given
 * those anew takes longer than to deflate a message of a usual size. For many threads.
 */
public final class MessageDeflation {
    /** With a header and a checksum (RFC 1950). */
    static final MessageDeflation WRAPPED = new MessageDeflation(false);
    /** Without (RFC 1951). */
    public static final MessageDeflation BARE = new MessageDeflation(true);

    private static final int KEPT = 8;
    private static final int PIECE = 4_096;

    private final boolean bare;
    private final BlockingQueue<Deflater> free = new ArrayBlockingQueue<>(KEPT);

    private MessageDeflation(boolean bare) {
        this.bare = bare;
    }

    /** The deflated form, made in a hurry. */
    public byte[] deflated(byte[] content) {
        Deflater known = free.poll();
        Deflater deflater = known != null ? known : new Deflater(Deflater.BEST_SPEED, bare);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        deflater.setInput(content);
        deflater.finish();
        byte[] piece = new byte[PIECE];
        while (!deflater.finished()) {
            bytes.write(piece, 0, deflater.deflate(piece));
        }
        deflater.reset(); // it holds nothing of the content from here on
        if (!free.offer(deflater)) {
            deflater.end();
        }
        return bytes.toByteArray();
    }
}
