package dev.inboxd.queue;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mail.smtp.DsnRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Queues mail. A submission is delivered after the commit of its transaction, and tried until every recipient has a
 * result (promise P2).
 */
public final class SubmissionQueue {
    private final AtomicReference<@Nullable Deliverer> deliverer = new AtomicReference<>();

    /**
     * A submission: a message for some recipients.
     *
     * @param message the stored message, or null for mail of the service itself
     * @param inbox the sending inbox, or null for mail of the service itself
     * @param reversePath the address for failures
     * @param raw the bytes, when there is no stored message; else null
     * @param recipients their addresses, without duplicates
     * @param dsn the delivery reports that the sender requested (RFC 3461)
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record NewSubmission(
            @Nullable UUID message,
            @Nullable UUID inbox,
            String reversePath,
            byte @Nullable [] raw,
            List<String> recipients,
            DsnRequest dsn) {
        public NewSubmission {
            recipients = List.copyOf(recipients);
        }

        /** A submission without delivery reports. */
        public NewSubmission(
                @Nullable UUID message,
                @Nullable UUID inbox,
                String reversePath,
                byte @Nullable [] raw,
                List<String> recipients) {
            this(message, inbox, reversePath, raw, recipients, DsnRequest.NONE);
        }
    }

    /** A message in memory, with the digest of its bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record LoadedMessage(UUID organization, byte[] bytes, byte[] sha256) {}

    /** Delivers submissions. */
    public interface Deliverer {
        /** Notifies that recipients of an organization were queued; a hint, must not block. */
        void queued(UUID organization);

        /**
         * A slot for the immediate delivery of one submission. Its rows are inserted as claimed by this node, so they
         * need not be looked up, nor the bytes be read again. Close it after the transaction, whatever its result. Rows
         * of a commit that the slot did not learn of are found in the queue.
         */
        @Nullable
        ImmediateSlot reserve(LoadedMessage message, List<String> recipients);
    }

    /**
     * A slot for the immediate delivery of one submission. Its rows are inserted as claimed by this node, so they need
     * not be looked up, nor the bytes be read again. Close it after the transaction, whatever its result. Rows of a
     * commit that the slot did not learn of are found when their lease has expired.
     */
    public interface ImmediateSlot extends AutoCloseable {
        /** The node that claims. */
        UUID node();

        /** The lease of the claim. */
        Duration lease();

        /** Called before the rows of the submission are written. */
        void begins(UUID submission, NewSubmission contents);

        /**
         * Called after their commit.
         *
         * @param positions positions of the claimed recipients, from 1. Recipients with an inbox on this server, or at
         *     a domain of an organization on this server, are not claimed.
         * @param at the time of the transaction
         */
        void committed(Set<Integer> positions, Instant at);

        @Override
        void close();
    }

    /** Sets the deliverer, after construction. */
    public void setDeliverer(Deliverer current) {
        deliverer.set(current);
    }

    /** Reserves a slot for a message that will be queued, or null; see {@link ImmediateSlot}. */
    public @Nullable ImmediateSlot reserve(LoadedMessage message, List<String> recipients) {
        Deliverer current = deliverer.get();
        return current == null ? null : current.reserve(message, recipients);
    }

    /** Adds the inserts of a submission to a round trip of the caller's transaction. */
    public void appendTo(Tx tx, RoundTrip trip, UUID organization, NewSubmission submission) {
        appendTo(tx, trip, organization, submission, null);
    }

    /**
     * Adds the inserts of a submission to a round trip of the caller's transaction.
     *
     * @param slot the slot for immediate delivery, or null
     */
    public void appendTo(
            Tx tx, RoundTrip trip, UUID organization, NewSubmission submission, @Nullable ImmediateSlot slot) {
        View view = View.of(organization);
        UUID id = Uuid7.next();
        SubmissionSql.insert(trip, view, id, submission);
        SubmissionSql.Addressed addressed = new SubmissionSql.Addressed(submission, slot);
        RoundTrip.Result<SubmissionSql.RecipientRow> inserted =
                SubmissionSql.insertRecipients(tx, trip, view, id, addressed);
        if (slot != null) {
            slot.begins(id, submission);
        }
        tx.afterCommit(() -> notify(organization, SubmissionSql.rowsOf(tx, id, addressed, inserted.rows()), slot));
    }

    private void notify(UUID organization, List<SubmissionSql.RecipientRow> rows, @Nullable ImmediateSlot slot) {
        Set<Integer> claimed = rows.stream()
                .filter(SubmissionSql.RecipientRow::claimed)
                .map(SubmissionSql.RecipientRow::position)
                .collect(Collectors.toSet());
        if (slot != null) {
            slot.committed(claimed, rows.getFirst().at());
        }
        Deliverer current = deliverer.get();
        if (current != null && claimed.size() < rows.size()) {
            current.queued(organization);
        }
    }
}
