package dev.inboxd.notify.webhook;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.GroupCommit;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what became of attempts, many in one transaction, of all organizations: each organization's row is wanted by
 * arriving mail too. Until it is written a row keeps its lease, so a crash in between repeats the delivery (at least
 * once), and never loses it.
 */
final class ResultWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ResultWriter.class);
    /**
     * How long successes gather at most; nobody waits for them. It ends for all organizations at the same moment, so that
     * they share commits. What a crash meets gathered is repeated.
     */
    private static final Duration GATHERING = Duration.ofSeconds(1);
    /** How long all outcomes of an organization gather when some of them are urgent. */
    private static final Duration SHORT = Duration.ofMillis(30);

    private static final Duration BEFORE_REPEATING = Duration.ofSeconds(1);
    private static final int REPETITIONS = 3;

    private final GroupCommit<PendingResults> writes;
    private final ConcurrentHashMap<UUID, PendingResults> gathered = new ConcurrentHashMap<>();
    /** The {@link System#nanoTime} at which what gathers is written. */
    private final AtomicLong gatheredAt = new AtomicLong(System.nanoTime());

    private final CountDownLatch closing = new CountDownLatch(1);
    private final Phaser writing = new Phaser(1);

    /** Settlements in a database; see {@link ResultBatch.Context}. */
    ResultWriter(Database database, UUID node, Webhooks.Cancellation cancelling) {
        ResultBatch.Context context = new ResultBatch.Context(node, cancelling);
        this.writes = GroupCommit.whole(
                database, (tx, organization, results) -> new ResultBatch(tx, organization, context, results));
    }

    /**
     * A failed attempt.
     *
     * @param pauseMillis until the next, or null when it was the last
     * @param payload what was posted, to be posted again; null when the row has it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record FailedAttempt(AttemptResult result, @Nullable Long pauseMillis, byte @Nullable [] payload) {
        static FailedAttempt of(AttemptResult made, byte @Nullable [] payload) {
            Duration pause = RetrySchedule.jittered(made.attempt());
            return new FailedAttempt(made, pause == null ? null : pause.toMillis(), payload);
        }

        WebhookDelivery delivery() {
            return result.delivery();
        }

        int attempt() {
            return result.attempt();
        }

        @Nullable
        String error() {
            return result.error();
        }
    }

    /** The endpoint took it. */
    void succeeded(AttemptResult made) {
        add(made.delivery().organization(), outcomes -> outcomes.succeeded.add(made));
    }

    /** There is nothing to deliver any more. */
    void dropped(WebhookDelivery delivery) {
        add(delivery.organization(), outcomes -> outcomes.dropped.add(delivery));
    }

    /** There is no room for it here: it is due, and whoever has room takes it. */
    void refused(WebhookDelivery delivery) {
        add(delivery.organization(), outcomes -> outcomes.refused.add(delivery));
    }

    /** The endpoint did not take it. */
    void failed(FailedAttempt failed) {
        add(failed.delivery().organization(), outcomes -> outcomes.failed.add(failed));
    }

    /** Writes everything that has gathered, without waiting for more. */
    void close() {
        closing.countDown();
        gathered.values().forEach(outcomes -> outcomes.flush.countDown());
        writing.arriveAndAwaitAdvance();
    }

    private void add(UUID organization, Consumer<PendingResults> outcome) {
        gathered.compute(organization, (_, known) -> {
            PendingResults outcomes = known == null ? new PendingResults() : known;
            outcome.accept(outcomes);
            if (outcomes.areUrgent()) {
                outcomes.flush.countDown();
            }
            if (known == null) {
                writing.register();
                Thread.startVirtualThread(() -> settle(organization, outcomes));
            }
            return outcomes;
        });
    }

    private void settle(UUID organization, PendingResults outcomes) {
        try {
            if (closing.getCount() > 0) {
                pause(outcomes.flush, gathering());
            }
            pause(closing, SHORT);
            gathered.remove(organization);
            RuntimeException failure = write(organization, outcomes);
            for (int i = 1; failure != null && i < REPETITIONS; i++) {
                pause(closing, BEFORE_REPEATING);
                failure = write(organization, outcomes);
            }
            if (failure != null) {
                LOG.warn("The outcome of deliveries could not be written; they will be repeated", failure);
            }
        } finally {
            writing.arriveAndDeregister();
        }
    }

    /** Until what gathers now, of whichever organization, is written; who is the first says when. */
    private Duration gathering() {
        long now = System.nanoTime();
        return Duration.ofNanos(gatheredAt.updateAndGet(at -> at - now > 0 ? at : now + GATHERING.toNanos()) - now);
    }

    private @Nullable RuntimeException write(UUID organization, PendingResults outcomes) {
        try {
            writes.submit(organization, outcomes).await();
            return null;
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    private static void pause(CountDownLatch end, Duration duration) {
        try {
            var _ = end.await(duration.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
