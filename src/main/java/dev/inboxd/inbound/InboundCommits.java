package dev.inboxd.inbound;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.GroupCommit;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.log.LogLine;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what arrives, many messages in a transaction, and tells each when it is committed. For many threads. */
public final class InboundCommits {
    private static final Logger LOG = LoggerFactory.getLogger(InboundCommits.class);

    private final InboundStore.Storage means;
    private final GroupCommit<InboundItem> writes;

    InboundCommits(Database database, InboundStore.Storage means) {
        this.means = means;
        this.writes = GroupCommit.alternating(database, new CommitWork());
    }

    /** Nobody knows yet what becomes of an arrival: its commit may still come. Its sender tries again either way. */
    public static final class CommitTimeoutException extends RuntimeException {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // never serialized
        private final InboundItem arrival;

        CommitTimeoutException(InboundItem arrival) {
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
     * @return whether there was room for it in every inbox
     * @throws CommitTimeoutException when that was too late
     */
    boolean commit(UUID organization, InboundItem arrival, Duration patience) {
        writes.add(organization, arrival);
        try {
            return logged(organization, arrival, arrival.done().get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException late) {
            throw givenUp(organization, arrival);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw givenUp(organization, arrival);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failure);
        }
    }

    /** What nobody has begun to write is not written: a writer that hangs must not hold all that comes meanwhile. */
    private CommitTimeoutException givenUp(UUID organization, InboundItem arrival) {
        if (writes.cancel(organization, arrival)) {
            arrival.done().cancel(false);
        }
        var _ = arrival.done().thenApply(kept -> logged(organization, arrival, kept));
        return new CommitTimeoutException(arrival);
    }

    /** By who waits for it: the thread that writes has the next batch to begin. */
    private static boolean logged(UUID organization, InboundItem arrival, boolean kept) {
        if (kept) {
            LogLine.of("message")
                    .with("id", arrival.mail().envelopeId())
                    .with("organization_id", organization)
                    .with("inboxes", arrival.inboxes().size())
                    .with("size", arrival.mail().summary().size())
                    .write();
        }
        return kept;
    }

    /** What is stored together, and who is told. */
    private final class CommitWork implements GroupCommit.Work<InboundItem> {
        @Override
        public Database.PlannedChange planned(UUID organization, List<InboundItem> arrivals) {
            return new Database.PlannedChange(
                    organization,
                    InboundBatch.claim(arrivals),
                    tx -> new InboundBatch(tx, View.of(organization), means, arrivals));
        }

        @Override
        public void failed(UUID organization, List<InboundItem> arrivals, Throwable failure) {
            LOG.warn(
                    "Message {} and {} more could not be stored: {}",
                    arrivals.getFirst().mail().envelopeId(),
                    arrivals.size() - 1,
                    failure.toString());
            arrivals.forEach(arrival -> arrival.done().completeExceptionally(failure));
        }

        @Override
        public void written(UUID organization, List<InboundItem> arrivals) {
            arrivals.forEach(arrival -> arrival.done().complete(true)); // what had no room is settled already
        }
    }
}
