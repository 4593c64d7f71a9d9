package dev.inboxd.inbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.PendingCommit;
import dev.inboxd.base.log.LogLine;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits messages, many in one transaction. Safe for concurrent use. */
public final class InboundCommits {
    private static final Logger LOG = LoggerFactory.getLogger(InboundCommits.class);

    private final GroupCommit<InboundItem> writes;

    InboundCommits(Database database, InboundStorage means) {
        this.writes = GroupCommit.of(
                database, (tx, organization, arrivals) -> new InboundBatch(tx, organization, means, arrivals));
    }

    /** The commit of a message took too long. It may still succeed; the sender tries again in either case. */
    public static final class CommitTimeoutException extends RuntimeException {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // never serialized
        private final PendingCommit<InboundItem> pending;

        CommitTimeoutException(PendingCommit<InboundItem> pending) {
            super("Message " + pending.item().message().id() + " was not committed in time");
            this.pending = pending;
        }

        /** Runs an action when the outcome is known. */
        void whenSettled(Runnable action) {
            var _ = pending.done().whenComplete((_, _) -> action.run());
        }
    }

    /**
     * Stores a message, and returns when it is committed.
     *
     * @param timeout after which the write is cancelled, unless its transaction has begun
     * @return whether there was room for it in every inbox
     * @throws CommitTimeoutException when it was not committed in time
     */
    boolean commit(UUID organization, InboundItem item, Duration timeout) {
        PendingCommit<InboundItem> pending = writes.submit(organization, item);
        if (!pending.await(timeout)) {
            if (!pending.done().toCompletableFuture().isDone()) { // else it was cancelled, and nothing was begun
                var _ = pending.done().whenComplete((late, failure) -> logLate(organization, item, late, failure));
            }
            throw new CommitTimeoutException(pending);
        }
        return log(organization, pending.await());
    }

    /** The sender was told that the outcome is unknown; the log says it when it is known. */
    private static void logLate(
            UUID organization, InboundItem item, @Nullable InboundItem late, @Nullable Throwable failure) {
        if (late != null) {
            log(organization, late);
        } else {
            LOG.warn(
                    "Message not stored, its commit failed after the timeout id={} organization_id={} cause=\"{}\"",
                    item.message().id(),
                    organization,
                    String.valueOf(failure));
        }
    }

    /** Writes the log line, on the waiting thread: the writing thread has the next batch to begin. */
    private static boolean log(UUID organization, InboundItem item) {
        boolean stored = !item.isFull().get();
        if (stored && !item.isUnjudged().get()) {
            LogLine.of("message")
                    .with("id", item.message().id())
                    .with("organization_id", organization)
                    .with("inboxes", item.mail().inboxes().size())
                    .with("size", item.message().summary().size())
                    .write();
        }
        return stored;
    }
}
