package dev.inboxd.smtp.server;

import dev.inboxd.platform.memory.HeapShare;
import java.util.concurrent.atomic.AtomicLong;

/** The memory that messages on their way in may take together, on all the ports that share it. For any thread. */
public final class SpoolMemory {
    private static final long MOST = 64L * 1024 * 1024;

    private final AtomicLong left;

    SpoolMemory(long bytes) {
        this.left = new AtomicLong(bytes);
    }

    /** Its share of the heap, and no more than 64 MiB: files are as good then. */
    public static SpoolMemory ofHeap() {
        return new SpoolMemory(Math.min(MOST, HeapShare.SPOOL.octets()));
    }

    /** Takes memory; false when too little is left. */
    boolean reserve(int bytes) {
        if (left.addAndGet(-bytes) >= 0) {
            return true;
        }
        left.addAndGet(bytes);
        return false;
    }

    void release(int bytes) {
        left.addAndGet(bytes);
    }
}
