package dev.inboxd.smtp.server;

import dev.inboxd.base.memory.HeapShare;
import java.util.concurrent.atomic.AtomicLong;

/** The memory budget of messages being received, shared by all listeners. Safe for concurrent use. */
public final class SpoolMemory {
    private static final long MOST = 64L * 1024 * 1024;

    private final AtomicLong left;

    SpoolMemory(long bytes) {
        this.left = new AtomicLong(bytes);
    }

    /** The share of the heap for spooling, at most 64 MiB: beyond that, files are as fast. */
    public static SpoolMemory ofHeap() {
        return new SpoolMemory(Math.min(MOST, HeapShare.SPOOL.octets()));
    }

    /** Reserves memory, in bytes; false when too little is left. */
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
