package dev.inboxd.platform.http;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.memory.HeapShare;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The memory that the bodies of all requests may take together, or that of all answers. What a handler makes of a body,
 * or an answer of, takes several times its size, so large ones wait for each other here, and are refused for now when
 * that takes too long (promise P15).
 */
final class BodyBudget {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    /** A request's first bytes are free: ordinary requests never wait. */
    private static final int FREE = 256 * 1024;

    private final int all;
    private final Semaphore bytes;

    /** A budget of so many bytes; at least one body of the largest size fits. */
    BodyBudget(long bytes) {
        this.all = Math.clamp(bytes, BodyLimit.ATTACHMENTS.bytes(), Integer.MAX_VALUE);
        this.bytes = new Semaphore(all, true);
    }

    /** The part of the heap that is theirs. */
    static BodyBudget of(HeapShare share) {
        return new BodyBudget(share.octets());
    }

    int available() {
        return bytes.availablePermits();
    }

    boolean isAwaited() {
        return bytes.hasQueuedThreads();
    }

    /** What one request holds of it. */
    final class Share {
        private int held;

        /**
         * Makes room for a body of that size, before it is received. For one that is larger than all the room there is, all
         * of it.
         *
         * @throws Problem {@link ErrorCode#SERVICE_UNAVAILABLE} when others do not make room in time
         */
        void grow(int size) {
            grow(size, PATIENCE);
        }

        /** As {@link #grow(int)} for a text, of which two of any length fit, and with that patience. */
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
            throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many large requests are under way")
                    .retryAfter(Duration.ofSeconds(2));
        }

        /** Whether others may be waiting for what it holds. */
        boolean isHeld() {
            return held > 0;
        }

        /** Gives back what is more than that size takes. */
        void shrink(int size) {
            int needed = Math.max(0, size - FREE);
            if (held > needed) {
                bytes.release(held - needed);
                held = needed;
            }
        }

        /** Gives everything back; may be called again. */
        void release() {
            bytes.release(held);
            held = 0;
        }
    }
}
