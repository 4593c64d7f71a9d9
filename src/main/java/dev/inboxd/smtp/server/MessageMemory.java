package dev.inboxd.smtp.server;

import dev.inboxd.platform.memory.HeapShare;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The memory that mail may take together between its last octet and its commit. While the database or the blob store
 * stalls, every session that may be open could come to hold a parsed message; those beyond the budget wait here, where
 * they hold only what is spooled, and are refused for now when that takes too long (promise P15).
 */
public final class MessageMemory {
    /** Far below the 10 minutes that a client waits for the answer to its final dot (RFC 5321 §4.5.3.2.6). */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A larger message is read from its file, and its attachments are not held; what it takes has its own bound (P14). */
    private static final int ORDINARY = 1 << 20;

    private static final int LARGE_AT_ONCE = 4;

    /** For each octet: the message itself, and its text in characters, which are being parsed or written. */
    private static final int PER_OCTET = 4;
    /** Of every message: header fields, addresses, rows. */
    private static final int EACH = 16 * 1024;

    private final Semaphore bytes;
    private final Semaphore large = new Semaphore(LARGE_AT_ONCE, true);
    private final Duration patience;

    /** A budget of so many bytes, or enough for the largest ordinary message. */
    MessageMemory(long bytes, Duration patience) {
        this.bytes = new Semaphore(Math.clamp(bytes, weight(ORDINARY), Integer.MAX_VALUE), true);
        this.patience = patience;
    }

    /** The part of the heap that is theirs: in 10 MB, some 9 messages of 256 KiB or 300 of 4 KiB. */
    public static MessageMemory of(HeapShare share) {
        return new MessageMemory(share.octets(), PATIENCE);
    }

    /**
     * Makes room for a message before it is parsed.
     *
     * @param size its octets
     * @return whether there is room; then {@link #release} it back
     */
    public boolean acquire(long size) {
        try {
            return size > ORDINARY
                    ? large.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)
                    : bytes.tryAcquire(weight(size), patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Gives back what {@link #acquire} took. */
    public void release(long size) {
        if (size > ORDINARY) {
            large.release();
        } else {
            bytes.release(weight(size));
        }
    }

    int available() {
        return bytes.availablePermits();
    }

    boolean isAwaited() {
        return bytes.hasQueuedThreads();
    }

    private static int weight(long size) {
        return EACH + PER_OCTET * (int) size;
    }
}
