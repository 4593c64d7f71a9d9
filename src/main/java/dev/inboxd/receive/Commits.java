package dev.inboxd.receive;

import dev.inboxd.database.Database;
import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.log.LogLine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what arrives, many messages in a transaction, and tells each when it is committed. For many threads. */
final class Commits {
    private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

    private final Database database;
    private final Ingest.Means means;
    private final Gathering<Arrival> gathering = new Gathering<>(this::store);

    Commits(Database database, Ingest.Means means) {
        this.database = database;
        this.means = means;
    }

    /** Nobody knows yet what becomes of an arrival: its commit may still come. Its sender tries again either way. */
    static final class Unsettled extends RuntimeException {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // never serialized
        private final Arrival arrival;

        Unsettled(Arrival arrival) {
            super("Message " + arrival.mail().envelopeId() + " was not committed in time");
            this.arrival = arrival;
        }

        /** Runs something when it is known what became of it. */
        void whenSettled(Runnable action) {
            var _ = arrival.done().whenComplete((_, _) -> action.run());
        }
    }

    /**
     * Stores an arrival, and returns when it is committed.
     *
     * @param patience after which it is called back; what is being written by then goes on without us
     * @throws Unsettled when that was too late
     */
    void commit(UUID organization, Arrival arrival, Duration patience) {
        gathering.add(organization, arrival);
        try {
            arrival.done().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            giveUp(organization, arrival);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            giveUp(organization, arrival);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failure);
        }
    }

    /** What nobody has begun to write is not written: a writer that hangs must not hold all that comes meanwhile. */
    private void giveUp(UUID organization, Arrival arrival) {
        if (gathering.withdraw(organization, arrival)) {
            arrival.done().cancel(false);
        }
        throw new Unsettled(arrival);
    }

    /** Settles every arrival, whatever happens: a session waits for each. Returns the organizations that take longer. */
    private Set<UUID> store(Map<UUID, List<Arrival>> batch) {
        Set<UUID> left = batch.keySet();
        try {
            left = write(batch);
        } catch (RuntimeException | Error failure) {
            if (failure instanceof Problem problem && problem.code() == Code.SERVICE_UNAVAILABLE) {
                batch.values().forEach(arrivals -> failed(arrivals, failure));
                return Set.of();
            }
            if (batch.size() > 1) {
                LOG.warn("A batch of {} organizations is written one by one: {}", batch.size(), failure.toString());
            }
        }
        for (Map.Entry<UUID, List<Arrival>> each : batch.entrySet()) {
            if (!left.contains(each.getKey())) {
                stored(each.getKey(), each.getValue());
            }
        }
        // Another writer has them: nobody else shall wait for it.
        left.forEach(organization -> Thread.startVirtualThread(() -> {
            try {
                store(organization, Objects.requireNonNull(batch.get(organization)));
            } finally {
                gathering.release(organization);
            }
        }));
        return left;
    }

    /** Writes without waiting for any organization's clock; returns those that another writer has. */
    private Set<UUID> write(Map<UUID, List<Arrival>> batch) {
        List<Database.Planned> all = batch.entrySet().stream().map(each -> planned(each.getKey(), each.getValue())).toList();
        if (all.size() > 1) {
            return database.write(all);
        }
        return database.writeIfFree(all.getFirst()) ? Set.of() : batch.keySet();
    }

    private void store(UUID organization, List<Arrival> arrivals) {
        try {
            database.write(planned(organization, arrivals));
        } catch (RuntimeException | Error failure) {
            boolean away = failure instanceof Problem problem && problem.code() == Code.SERVICE_UNAVAILABLE;
            if (arrivals.size() > 1 && !away && failure instanceof RuntimeException) {
                // One message's fault must not be the others'.
                arrivals.forEach(arrival -> store(organization, List.of(arrival)));
                return;
            }
            failed(arrivals, failure);
            return;
        }
        stored(organization, arrivals);
    }

    private static void failed(List<Arrival> arrivals, Throwable failure) {
        LOG.warn("Message {} and {} more could not be stored: {}", arrivals.getFirst().mail().envelopeId(),
                arrivals.size() - 1, failure.toString());
        arrivals.forEach(arrival -> arrival.done().completeExceptionally(failure));
    }

    private static void stored(UUID organization, List<Arrival> arrivals) {
        arrivals.forEach(arrival -> arrival.done().complete(null));
        arrivals.forEach(arrival -> LogLine.of("message").with("id", arrival.mail().envelopeId())
                .with("organization_id", organization).with("inboxes", arrival.inboxes().size())
                .with("size", arrival.mail().outline().size()).write());
    }

    private Database.Planned planned(UUID organization, List<Arrival> arrivals) {
        return new Database.Planned(organization, Batch.numbers(arrivals),
                tx -> new Batch(tx, View.of(organization), means, arrivals));
    }
}
