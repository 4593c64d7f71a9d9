package dev.inboxd.message;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.Deflater;

/**
 * Deflates what is stored of messages (RFC 1950). Some deflaters are used again: each has 256 KiB outside the heap, and to
 * be given those anew takes longer than to deflate a message of a usual size.
 */
final class Deflating {
    private static final int KEPT = 8;
    private static final int PIECE = 4_096;
    private static final BlockingQueue<Deflater> FREE = new ArrayBlockingQueue<>(KEPT);

    private Deflating() {}

    /** The deflated form, made in a hurry. */
    static byte[] deflated(byte[] content) {
        Deflater known = FREE.poll();
        Deflater deflater = known != null ? known : new Deflater(Deflater.BEST_SPEED);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        deflater.setInput(content);
        deflater.finish();
        byte[] piece = new byte[PIECE];
        while (!deflater.finished()) {
            bytes.write(piece, 0, deflater.deflate(piece));
        }
        deflater.reset(); // it holds nothing of the content from here on
        if (!FREE.offer(deflater)) {
            deflater.end();
        }
        return bytes.toByteArray();
    }
}
