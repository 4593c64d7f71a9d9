package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.job.Departures;
import dev.inboxd.base.job.Nodes;
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
 * Writes the results of attempts, many in one transaction across organizations, because received mail needs each
 * organization's clock row too. A row keeps its lease until its result is written. So a crash in between repeats the
 * delivery (at least once) and never loses it.
 */
public final class ResultWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ResultWriter.class);
    /**
     * How long successes are collected at most; nothing waits for them. The time ends for all organizations at the same
     * moment, so that they share commits. Results lost in a crash lead to a repeated delivery.
     */
    private static final Duration GATHERING = Duration.ofSeconds(1);
    /** How long the results of an organization are collected when one of them is urgent. */
    private static final Duration SHORT = Duration.ofMillis(30);

    private static final Duration BEFORE_REPEATING = Duration.ofSeconds(1);
    private static final int REPETITIONS = 3;

    private final GroupCommit<PendingResults> writes;
    private final ConcurrentHashMap<UUID, PendingResults> gathered = new ConcurrentHashMap<>();
    /** The {@link System#nanoTime} at which the collected results are written. */
    private final AtomicLong gatheredAt = new AtomicLong(System.nanoTime());

    private final Departures departures;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Phaser writing = new Phaser(1);

    /** A writer for one database; see {@link ResultBatch.Context}. */
    ResultWriter(Database database, Nodes nodes, DeliveryCancellation cancelling) {
        ResultBatch.Context context = new ResultBatch.Context(nodes::self, cancelling);
        this.writes = GroupCommit.of(
                database, (tx, organization, results) -> new ResultBatch(tx, organization, context, results));
        this.departures = nodes.departures();
    }

    /**
     * A failed attempt.
     *
     * @param pauseMillis milliseconds until the next attempt, or null after the last
     * @param payload the posted payload, to be posted again; null when the row has it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record FailedAttempt(AttemptResult result, @Nullable Long pauseMillis, byte @Nullable [] payload) {
        static FailedAttempt of(AttemptResult attemptResult, byte @Nullable [] payload) {
            Duration pause = RetrySchedule.jittered(attemptResult.attempt());
            return new FailedAttempt(attemptResult, pause == null ? null : pause.toMillis(), payload);
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

    /** The endpoint accepted the delivery. */
    void succeeded(AttemptResult attemptResult) {
        add(attemptResult.delivery().organization(), outcomes -> outcomes.succeeded.add(attemptResult));
    }

    /** The message of the event was deleted: the delivery ends. */
    void dropped(WebhookDelivery delivery) {
        add(delivery.organization(), outcomes -> outcomes.dropped.add(delivery));
    }

    /** This node has no room for the delivery: it is released, and any node with room claims it. */
    void refused(WebhookDelivery delivery) {
        add(delivery.organization(), outcomes -> outcomes.refused.add(delivery));
    }

    /** The endpoint did not accept the delivery. */
    void failed(FailedAttempt failed) {
        add(failed.delivery().organization(), outcomes -> outcomes.failed.add(failed));
    }

    /** Writes all collected results at once. */
    void close() {
        closing.countDown();
        gathered.values().forEach(outcomes -> outcomes.flush.countDown());
        writing.arriveAndAwaitAdvance();
    }

    private void add(UUID organization, Consumer<PendingResults> outcome) {
        gathered.compute(organization, (_, existing) -> {
            PendingResults outcomes = existing == null ? new PendingResults() : existing;
            outcome.accept(outcomes);
            if (outcomes.areUrgent()) {
                outcomes.flush.countDown();
            }
            if (existing == null) {
                writing.register();
                Departures.Departure written = departures.count(organization);
                Thread.startVirtualThread(() -> {
                    try (written) {
                        writeResults(organization, outcomes);
                    }
                });
            }
            return outcomes;
        });
    }

    private void writeResults(UUID organization, PendingResults outcomes) {
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
                LOG.warn("webhook results not written, deliveries repeated organization_id={}", organization, failure);
            }
        } finally {
            writing.arriveAndDeregister();
        }
    }

    /** The time until the collected results of all organizations are written; the first result sets it. */
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
