package dev.inboxd.outbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.event.EventLog;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the results of delivery attempts; those that end at about the same time share a commit. */
final class DeliveryResultWriter {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryResultWriter.class);

    private final GroupCommit<ItemResult> writes;
    private final DsnReports reports;

    /** A writer of results into a database, and of the notifications that senders requested. */
    DeliveryResultWriter(Database database, EventLog log, DsnReports reports) {
        this.reports = reports;
        this.writes =
                GroupCommit.of(database, (tx, organization, ended) -> new DeliveryResultBatch(tx, log, reports, ended));
    }

    /**
     * Records the outcomes of an attempt. An acceptance by the other server must be recorded, or the message would be
     * sent again: repeated until the stop. Blocks until the commit.
     *
     * @param stopping whether the process stops
     * @throws RuntimeException when nothing could be written by then
     */
    void record(QueueItem item, Map<QueueItem.Recipient, RecipientOutcome> outcomes, BooleanSupplier stopping) {
        for (int attempt = 1; true; attempt++) {
            try {
                writes.submit(item.organization(), new ItemResult(item, outcomes, reports.prepare(item, outcomes)))
                        .await();
                return;
            } catch (RuntimeException failure) {
                if (stopping.getAsBoolean()) {
                    throw failure;
                }
                if (attempt == 1) {
                    LOG.warn(
                            "Delivery result not recorded, retrying submission_id={} error=\"{}\"",
                            item.submission(),
                            failure.toString());
                }
                pause(attempt);
            }
        }
    }

    private static void pause(int attempt) {
        try {
            Thread.sleep(Math.min(500L * attempt, 30_000));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
