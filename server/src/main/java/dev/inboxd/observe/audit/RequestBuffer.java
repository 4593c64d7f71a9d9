package dev.inboxd.observe.audit;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.log.LogLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of keys on their way to their rows. They are written off the path of the requests, those of an organization
 * together; what finds no room is dropped and counted, and a crash loses the last seconds.
 *
 * @param <T> what a row has
 */
final class RequestBuffer<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestBuffer.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int BATCH = 500;

    private final Database database;
    private final BlockingQueue<T> waiting;
    private final RowStatement<T> insert;
    private final Function<T, UUID> organization;
    private final AtomicLong dropped = new AtomicLong();
    private volatile Consumer<T> losses = _ -> {};
    private final PeriodicTask task = new PeriodicTask("requests of keys", PAUSE, this::write);

    /**
     * A buffer of rows.
     *
     * @param room how many rows wait at most
     * @param insert how they are written
     * @param organization whose a row is
     */
    RequestBuffer(Database database, int room, RowStatement<T> insert, Function<T, UUID> organization) {
        this.database = database;
        this.insert = insert;
        this.organization = organization;
        this.waiting = new ArrayBlockingQueue<>(room);
    }

    /** Tells what was dropped; set once, before anything is added. */
    RequestBuffer<T> onLoss(Consumer<T> listener) {
        losses = listener;
        return this;
    }

    void start() {
        task.start();
    }

    /** Takes a request, or drops it. */
    void add(T request) {
        if (!waiting.offer(request)) {
            dropped.incrementAndGet();
            losses.accept(request);
        }
    }

    /** Writes what waits. */
    void write() {
        List<T> batch = new ArrayList<>();
        while (waiting.drainTo(batch, BATCH) > 0) {
            batch.stream().collect(Collectors.groupingBy(organization)).forEach(this::write);
            batch.clear();
        }
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            LogLine.of("requests_dropped").with("requests", lost).write();
        }
    }

    private void write(UUID owner, List<T> requests) {
        try {
            View all = View.of(owner);
            database.<Integer>write(owner, tx -> {
                RoundTrip trip = tx.roundTrip();
                trip.change(all, insert, requests);
                trip.run();
                return 0;
            });
        } catch (Problem | DatabaseFailure busy) {
            dropped.addAndGet(requests.size());
            requests.forEach(losses);
            LOG.warn("requests of keys not written: organization_id={} cause={}", owner, busy.getMessage());
        }
    }

    @Override
    public void close() {
        task.close();
        write();
    }
}
