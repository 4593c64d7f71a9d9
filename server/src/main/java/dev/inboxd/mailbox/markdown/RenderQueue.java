package dev.inboxd.mailbox.markdown;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Renders a few large mails at a time, so that a processor is left for all else on this node. Organizations take turns;
 * within one, who asked first is first (promise P15). Thread-safe.
 */
final class RenderQueue {
    /** Of this process: one processor is left free, where there is more than one. */
    static final RenderQueue SHARED =
            new RenderQueue(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), Duration.ofSeconds(20));

    private final int most;
    private final Duration patience;
    /** Those who wait, guarded by this queue. The tests count them. */
    final SequencedMap<UUID, Queue<CountDownLatch>> waiting = new LinkedHashMap<>();

    private int running;

    /**
     * A queue.
     *
     * @param most the most mails at a time
     * @param patience how long one waits
     */
    RenderQueue(int most, Duration patience) {
        this.most = most;
        this.patience = patience;
    }

    /**
     * Renders when it is the turn of this organization.
     *
     * @throws Problem {@code service_unavailable} when that takes too long
     */
    <T> T rendered(UUID organization, Supplier<T> rendering) {
        CountDownLatch turn = entered(organization);
        if (!isOpened(turn) && left(organization, turn)) {
            throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many large messages are read at once")
                    .retryAfter(Duration.ofSeconds(2));
        }
        try {
            return rendering.get();
        } finally {
            done();
        }
    }

    private synchronized CountDownLatch entered(UUID organization) {
        CountDownLatch turn = new CountDownLatch(1);
        waiting.computeIfAbsent(organization, _ -> new ArrayDeque<>()).add(turn);
        next();
        return turn;
    }

    private boolean isOpened(CountDownLatch turn) {
        try {
            return turn.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Gives up; false when the turn has come meanwhile. */
    private synchronized boolean left(UUID organization, CountDownLatch turn) {
        Queue<CountDownLatch> own = waiting.get(organization);
        if (own == null || !own.remove(turn)) {
            return false;
        }
        if (own.isEmpty()) {
            waiting.remove(organization);
        }
        return true;
    }

    private synchronized void done() {
        running--;
        next();
    }

    private void next() {
        while (running < most && !waiting.isEmpty()) {
            UUID organization = waiting.firstEntry().getKey();
            Queue<CountDownLatch> own = Objects.requireNonNull(waiting.remove(organization));
            own.remove().countDown();
            running++;
            if (!own.isEmpty()) {
                waiting.put(organization, own); // behind all others
            }
        }
    }
}
