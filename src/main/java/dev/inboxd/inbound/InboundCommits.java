package dev.inboxd.inbound;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.GroupCommit;
import dev.inboxd.platform.database.PendingCommit;
import dev.inboxd.platform.log.LogLine;
import java.time.Duration;
import java.util.UUID;

/** Writes what arrives, many messages in a transaction, and tells each when it is committed. For many threads. */
public final class InboundCommits {
    private final GroupCommit<InboundItem> writes;

    InboundCommits(Database database, InboundStore.Storage means) {
        this.writes = GroupCommit.alternating(
                database, (tx, organization, arrivals) -> new InboundBatch(tx, organization, means, arrivals));
    }

    /** Nobody knows yet what becomes of an arrival: its commit may still come. Its sender tries again either way. */
    public static final class CommitTimeoutException extends RuntimeException {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // never serialized
        private final PendingCommit<InboundItem> pending;

        CommitTimeoutException(PendingCommit<InboundItem> pending) {
            super("Message " + pending.item().mail().envelopeId() + " was not committed in time");
            this.pending = pending;
        }

        /** Runs something when it is known what became of it. */
        void whenSettled(Runnable action) {
            var _ = pending.done().whenComplete((_, _) -> action.run());
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
        PendingCommit<InboundItem> pending = writes.submit(organization, arrival);
        if (!pending.await(patience)) {
            var _ = pending.done().thenApply(late -> logged(organization, late));
            throw new CommitTimeoutException(pending);
        }
        return logged(organization, pending.await());
    }

    /** By the thread that waits for it: the one that writes has the next batch to begin. */
    private static boolean logged(UUID organization, InboundItem arrival) {
        boolean kept = !arrival.isFull().get();
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
}
