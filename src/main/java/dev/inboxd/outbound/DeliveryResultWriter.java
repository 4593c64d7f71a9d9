package dev.inboxd.outbound;

import dev.inboxd.event.EventLog;
import dev.inboxd.platform.database.ClockReservation;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.GroupCommit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down how parcels fared, those that end at about the same time in one commit. */
final class DeliveryResultWriter {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryResultWriter.class);

    private final GroupCommit<ItemResult> writes;
    private final EventLog log;
    private final DsnReports reports;

    /**
     * A parcel that was tried.
     *
     * @param outcomes of its recipients
     * @param report what its sender is told of it, made ahead, if it is told
     * @param done completed after the commit, or with what went wrong
     */
    record ItemResult(
            QueueItem parcel,
            Map<QueueItem.Recipient, RecipientOutcome> outcomes,
            DsnReports.@Nullable PreparedReport report,
            CompletableFuture<Void> done) {
        ItemResult {
            outcomes = Collections.unmodifiableMap(new LinkedHashMap<>(outcomes)); // in their order
        }
    }

    /** Settlements in a database; who asked for reports by mail gets them. */
    DeliveryResultWriter(Database database, EventLog log, DsnReports reports) {
        this.log = log;
        this.reports = reports;
        this.writes = GroupCommit.whole(database, new Work());
    }

    /**
     * Settles what can be settled and says when the rest is due again. What the other server has taken must be written
     * down, or it would be sent again: tried until the stop. Blocks until the commit.
     *
     * @throws RuntimeException when nothing of it could be written by then
     */
    void record(QueueItem parcel, Map<QueueItem.Recipient, RecipientOutcome> outcomes, BooleanSupplier stopping) {
        for (int attempt = 1; true; attempt++) {
            try {
                record(parcel, outcomes);
                return;
            } catch (RuntimeException failure) {
                if (stopping.getAsBoolean()) {
                    throw failure;
                }
                if (attempt == 1) {
                    LOG.warn("Submission {} waits to be settled: {}", parcel.submission(), failure.toString());
                }
                pause(attempt);
            }
        }
    }

    private void record(QueueItem parcel, Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        ItemResult ended =
                new ItemResult(parcel, outcomes, reports.prepare(parcel, outcomes), new CompletableFuture<>());
        writes.add(parcel.organization(), ended);
        try {
            ended.done.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }

    private static void pause(int attempt) {
        try {
            Thread.sleep(Math.min(500L * attempt, 30_000));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Work implements GroupCommit.Work<ItemResult> {
        @Override
        public Database.PlannedChange planned(UUID organization, List<ItemResult> ended) {
            return new Database.PlannedChange(
                    organization,
                    ClockReservation.numbers(DeliveryResultBatch.numbers(ended)),
                    tx -> new DeliveryResultBatch(tx, log, reports, ended));
        }

        @Override
        public void written(UUID organization, List<ItemResult> ended) {
            ended.forEach(each -> each.done.complete(null));
        }

        @Override
        public void failed(UUID organization, List<ItemResult> ended, Throwable failure) {
            ended.forEach(each -> each.done.completeExceptionally(failure));
        }
    }
}
