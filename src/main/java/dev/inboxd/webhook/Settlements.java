package dev.inboxd.webhook;

import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what became of attempts, many of an organization in one transaction: the organization's row is wanted by
 * arriving mail too. Until it is written a row keeps its lease, so a crash in between repeats the delivery (at least
 * once), and never loses it.
 */
final class Settlements {
    private static final Logger LOG = LoggerFactory.getLogger(Settlements.class);
    /**
     * How long successes gather; nobody waits for them. So an organization's row is locked once a second for all of
     * them, not once for each. What a crash meets gathered is repeated.
     */
    private static final Duration GATHERING = Duration.ofSeconds(1);
    /** How long all outcomes gather when there is a failure among them, or {@link #MANY}. */
    private static final Duration SHORT = Duration.ofMillis(30);
    private static final int MANY = 256;
    private static final Duration BEFORE_REPEATING = Duration.ofSeconds(1);
    private static final int REPETITIONS = 3;

    private final Database database;
    private final UUID node;
    private final Webhooks.Cancelling cancelling;
    private final ConcurrentHashMap<UUID, Batch> gathered = new ConcurrentHashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Phaser writing = new Phaser(1);

    /**
     * Settlements in a database.
     *
     * @param node who makes the attempts
     * @param cancelling calls off what waits for webhooks that failed for too long
     */
    Settlements(Database database, UUID node, Webhooks.Cancelling cancelling) {
        this.database = database;
        this.node = node;
        this.cancelling = cancelling;
    }

    /**
     * A failed attempt.
     *
     * @param pauseMillis until the next, or null when it was the last
     * @param payload what was posted, to be posted again; null when the row has it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Failed(Made made, @Nullable Long pauseMillis, byte @Nullable [] payload) {
        static Failed of(Made made, byte @Nullable [] payload) {
            Duration pause = Schedule.jittered(made.attempt());
            return new Failed(made, pause == null ? null : pause.toMillis(), payload);
        }

        Delivery delivery() {
            return made.delivery();
        }

        int attempt() {
            return made.attempt();
        }

        @Nullable String error() {
            return made.error();
        }
    }

    /** The outcomes of one organization that wait to be written. */
    private static final class Batch {
        private final List<Made> succeeded = new ArrayList<>();
        private final List<Delivery> dropped = new ArrayList<>();
        private final List<Delivery> refused = new ArrayList<>();
        private final List<Failed> failed = new ArrayList<>();
        private final CountDownLatch hurry = new CountDownLatch(1);

        private List<Delivery> removed() {
            List<Delivery> removed = new ArrayList<>(dropped);
            succeeded.forEach(made -> removed.add(made.delivery()));
            return removed;
        }

        private List<Made> made() {
            List<Made> made = new ArrayList<>(succeeded);
            failed.forEach(each -> made.add(each.made));
            return made;
        }
    }

    /** The endpoint took it. */
    void succeeded(Made made) {
        add(made.delivery().organization(), batch -> batch.succeeded.add(made));
    }

    /** There is nothing to deliver any more. */
    void dropped(Delivery delivery) {
        add(delivery.organization(), batch -> batch.dropped.add(delivery));
    }

    /** There is no room for it here: it is due, and whoever has room takes it. */
    void refused(Delivery delivery) {
        add(delivery.organization(), batch -> batch.refused.add(delivery));
    }

    /** The endpoint did not take it. */
    void failed(Failed failed) {
        add(failed.delivery().organization(), batch -> batch.failed.add(failed));
    }

    /** Writes everything that has gathered, without waiting for more. */
    void close() {
        closing.countDown();
        gathered.values().forEach(batch -> batch.hurry.countDown());
        writing.arriveAndAwaitAdvance();
    }

    private void add(UUID organization, Consumer<Batch> outcome) {
        gathered.compute(organization, (_, known) -> {
            Batch batch = known == null ? new Batch() : known;
            outcome.accept(batch);
            if (!batch.failed.isEmpty() || !batch.refused.isEmpty() || batch.succeeded.size() >= MANY) {
                batch.hurry.countDown();
            }
            if (known == null) {
                writing.register();
                Thread.startVirtualThread(() -> settle(organization, batch.hurry));
            }
            return batch;
        });
    }

    private void settle(UUID organization, CountDownLatch hurry) {
        try {
            if (closing.getCount() > 0) {
                pause(hurry, GATHERING);
            }
            pause(closing, SHORT);
            Batch batch = Objects.requireNonNull(gathered.remove(organization));
            for (int i = 1; !written(organization, batch, i == REPETITIONS) && i < REPETITIONS; i++) {
                pause(closing, BEFORE_REPEATING);
            }
        } finally {
            writing.arriveAndDeregister();
        }
    }

    private static void pause(CountDownLatch end, Duration duration) {
        try {
            var _ = end.await(duration.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean written(UUID organization, Batch batch, boolean last) {
        try {
            write(organization, batch);
            return true;
        } catch (RuntimeException away) {
            if (last) {
                LOG.warn("The outcome of deliveries could not be written; they will be repeated", away);
            }
            return false;
        }
    }

    private void write(UUID organization, Batch batch) {
        View view = View.of(organization);
        database.<@Nullable Void>write(organization, 1, (tx, trip) -> {
            DeliverySql.remove(trip, view, batch.removed());
            DeliverySql.letGo(trip, view, node, batch.refused);
            DeliverySql.log(trip, view, batch.made());
            // First the successes: one among many failures is enough.
            DeliverySql.recovered(trip, view, 
                    batch.succeeded.stream().map(made -> made.delivery().webhook()).distinct().toList());
            DeliverySql.fail(trip, view, batch.failed);
            List<String> failing = batch.failed.stream().map(failed -> failed.delivery().webhook()).distinct().toList();
            RoundTrip.Pending<String> off = failing.isEmpty()
                    ? RoundTrip.Pending.none() : DeliverySql.failing(trip, view, failing);
            trip.run();
            // In this very transaction, so that a crash behind it leaves nothing to a webhook that is disabled.
            off.rows().stream().filter(webhook -> !webhook.isEmpty())
                    .forEach(webhook -> cancelling.cancel(tx, organization, webhook));
            return null;
        });
    }
}
