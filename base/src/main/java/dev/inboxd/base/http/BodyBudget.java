package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.memory.HeapShare;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory budget that all request bodies share, or all answers. Parsing a body or rendering an answer takes several
 * times its size. Large ones wait for each other here, and are refused with 503 when the wait takes too long (promise
 * P15).
 */
final class BodyBudget {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** Bytes of a request that count nothing, so that ordinary requests never wait. */
    private static final int FREE = 256 * 1024;

    private final int all;
    private final Semaphore bytes;
    /** Octets of texts that are there and wait for their memory. */
    private final AtomicLong waiting = new AtomicLong();

    /** A budget of this many bytes. One body of the largest size always fits. */
    BodyBudget(long bytes) {
        this.all = Math.clamp(bytes, BodyLimit.ATTACHMENTS.bytes(), Integer.MAX_VALUE);
        this.bytes = new Semaphore(all, true);
    }

    /** A budget of the heap that the share allows. */
    static BodyBudget of(HeapShare share) {
        return new BodyBudget(share.octets());
    }

    static Problem exhausted() {
        return Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many large requests are under way")
                .retryAfter(Duration.ofSeconds(2));
    }

    int available() {
        return bytes.availablePermits();
    }

    boolean isAwaited() {
        return bytes.hasQueuedThreads();
    }

    /** The part of the budget that one request holds. */
    final class Share {
        private int held;

        /**
         * Reserves memory for a body of this size, before it is received. A body larger than the whole budget reserves
         * the whole budget.
         *
         * @throws Problem {@link ErrorCode#SERVICE_UNAVAILABLE} when other requests do not release enough memory in
         *     time
         */
        void grow(int size) {
            grow(size, PATIENCE);
        }

        /**
         * As {@link #grow(int)} for a text: two texts of any length fit.
         *
         * @param patient whether to wait for memory, instead of failing at once
         */
        void growForText(int size, boolean patient) {
            grow(Math.min(size, all / 2), patient ? PATIENCE : Duration.ZERO);
        }

        private void grow(int size, Duration patience) {
            int more = Math.min(size - FREE, all) - held;
            if (more <= 0) {
                return;
            }
            try {
                if (bytes.tryAcquire(more, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                    held += more;
                    return;
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            throw exhausted();
        }

        /**
         * Holds the memory of a text that is there already, without what was reserved beyond it. Few of those that hold
         * less wait for more.
         *
         * @return false when other requests do not release enough memory in time, or too many wait already
         */
        boolean keep(int size) {
            int more = Math.min(size - FREE, all) - held;
            if (more <= 0) {
                shrink(size);
                return true;
            }
            try {
                if (waiting.addAndGet(size) <= all) {
                    grow(size);
                    return true;
                }
                grow(size, Duration.ZERO);
                return true;
            } catch (Problem tooMany) {
                return false;
            } finally {
                waiting.addAndGet(-size);
            }
        }

        /** Whether this share holds memory that others may be waiting for. */
        boolean isHeld() {
            return held > 0;
        }

        /** Releases the memory beyond this size. */
        void shrink(int size) {
            int needed = Math.max(0, size - FREE);
            if (held > needed) {
                bytes.release(held - needed);
                held = needed;
            }
        }

        /** Releases all memory of this share; may be called again. */
        void release() {
            bytes.release(held);
            held = 0;
        }
    }
}
