package dev.inboxd.smtp.server;

import dev.inboxd.base.memory.HeapShare;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the memory of all messages between their last octet and their commit. While the database or the blob store
 * stalls, every open session could hold a parsed message. A message beyond the budget waits with its content in the
 * spool only, and is refused temporarily when it waits too long (promise P15).
 */
public final class MessageMemory {
    /** Far below the 10 minutes that a client waits for the answer to its final dot (RFC 5321 §4.5.3.2.6). */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /**
     * A larger message is read from its file, and its attachments are not held in memory; its memory is bounded by P14.
     */
    private static final int ORDINARY = 1 << 20;

    private static final int LARGE_AT_ONCE = 4;

    /**
     * Bytes of memory for each octet of a message: its octets, and its text in characters while it is parsed or
     * written.
     */
    private static final int PER_OCTET = 4;
    /** Bytes of memory for each message beside its content: header fields, addresses, rows. */
    private static final int PER_MESSAGE = 16 * 1024;

    private final Semaphore bytes;
    private final Semaphore large = new Semaphore(LARGE_AT_ONCE, true);
    private final Duration timeout;

    /**
     * A budget in bytes, raised to what the largest ordinary message needs.
     *
     * @param timeout how long a message waits for its memory
     */
    MessageMemory(long bytes, Duration timeout) {
        this.bytes = new Semaphore(Math.clamp(bytes, weight(ORDINARY), Integer.MAX_VALUE), true);
        this.timeout = timeout;
    }

    /** A budget of that share of the heap. Example: 10 MB hold some 9 messages of 256 KiB or 300 of 4 KiB. */
    public static MessageMemory of(HeapShare share) {
        return new MessageMemory(share.octets(), TIMEOUT);
    }

    /**
     * Reserves the memory of a message before it is parsed; blocks.
     *
     * @param size octets of the message
     * @return false when no memory became free in time; when true, the caller must call {@link #release} with the same
     *     size
     */
    public boolean acquire(long size) {
        try {
            return size > ORDINARY
                    ? large.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    : bytes.tryAcquire(weight(size), timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the memory that {@link #acquire} reserved. */
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
        return PER_MESSAGE + PER_OCTET * (int) size;
    }
}
