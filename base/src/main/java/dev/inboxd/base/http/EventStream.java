package dev.inboxd.base.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * An answer as server-sent events (HTML Standard §9.2) while a request waits: what is sent in between keeps proxies
 * from hanging up, and shows when the peer has. A piece that the peer does not take before the next one is due ends the
 * wait.
 */
final class EventStream {
    static final String MEDIA_TYPE = "text/event-stream";

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Response out;
    private final Scheduler scheduler;
    private final DeferredResponse waiting;
    private final ReentrantLock writing = new ReentrantLock();
    private Duration pause = Duration.ofSeconds(1);
    private boolean over;
    private Scheduler.@Nullable Task next;

    /** @param waiting is told when the peer is gone */
    EventStream(Response out, Scheduler scheduler, DeferredResponse waiting) {
        this.out = out;
        this.scheduler = scheduler;
        this.waiting = waiting;
    }

    /** Sends the header and the first piece, and another piece now and then until the end. */
    void begin(Supplier<byte[]> pieces) {
        if (write(pieces.get(), false)) {
            schedule(pieces);
        }
    }

    private synchronized void schedule(Supplier<byte[]> pieces) {
        if (!over) {
            next = scheduler.schedule(
                    () -> Thread.ofVirtual().name("event-stream").start(() -> go(pieces)),
                    pause.toMillis(),
                    TimeUnit.MILLISECONDS);
            Duration twice = pause.multipliedBy(2);
            pause = twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
        }
    }

    private void go(Supplier<byte[]> pieces) {
        schedule(pieces);
        if (!writing.tryLock()) {
            stop();
            waiting.disconnected();
            return;
        }
        try {
            if (!isOver()) {
                write(pieces.get(), false);
            }
        } finally {
            writing.unlock();
        }
    }

    /** Sends the last piece; false when the peer has disconnected. */
    boolean end(byte[] last) {
        stop();
        writing.lock();
        try {
            return write(last, true);
        } finally {
            writing.unlock();
        }
    }

    private synchronized void stop() {
        over = true;
        if (next != null) {
            next.cancel();
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    private boolean write(byte[] piece, boolean last) {
        try {
            Content.Sink.write(out, last, ByteBuffer.wrap(piece));
            return true;
        } catch (IOException failure) {
            stop();
            waiting.disconnected();
            return false;
        }
    }
}
