package dev.inboxd.queue;

import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.id.Uuid7;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queues mail. What is queued in a transaction is tried, once that is committed, until it is settled (promise P2). */
public final class SubmissionQueue {
    private final AtomicReference<@Nullable Deliverer> carrier = new AtomicReference<>();

    /**
     * Something to be sent.
     *
     * @param message the stored message, or null for mail of the service itself
     * @param reversePath where failures go
     * @param raw the bytes, only when there is no stored message
     * @param recipients their addresses, each once
     * @param dsn what the sender wants to be told of them by mail (RFC 3461)
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

        /** Something of which nobody is told by mail. */
        public NewSubmission(
                @Nullable UUID message,
                @Nullable UUID inbox,
                String reversePath,
                byte @Nullable [] raw,
                List<String> recipients) {
            this(message, inbox, reversePath, raw, recipients, DsnRequest.NONE);
        }
    }

    /** A message that is at hand, with the digest of its bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record LoadedMessage(UUID organization, byte[] bytes, byte[] sha256) {}

    /** Carries what is queued. */
    public interface Deliverer {
        /** Something was queued; a hint, must not block. */
        void queued();

        /** Room to carry a message to these recipients as soon as it is committed; null when it has to wait its turn. */
        @Nullable
        ImmediateSlot reserve(LoadedMessage message, List<String> recipients);
    }

    /**
     * Room for one submission. Its rows are made as if its carrier had claimed them: nobody need look for them, and the
     * bytes are not read again. To be closed after the transaction, whatever became of it; what is not known to be
     * committed by then is found by its rows, if there are any.
     */
    public interface ImmediateSlot extends AutoCloseable {
        /** Who claims. */
        UUID node();

        /** For how long. */
        Duration lease();

        /** Rows of that submission are about to be written. */
        void begins(UUID submission, NewSubmission contents);

        /**
         * They are committed.
         *
         * @param positions of the recipients that are claimed, from 1; whoever has an inbox here is not, nor who is at a domain that
         *     somebody here holds
         */
        void committed(Set<Integer> positions, Instant at);

        @Override
        void close();
    }

    /** Says who delivers. */
    public void setDeliverer(Deliverer delivering) {
        carrier.set(delivering);
    }

    /** Room for a message that is about to be queued, or null; see {@link ImmediateSlot}. */
    public @Nullable ImmediateSlot reserve(LoadedMessage message, List<String> recipients) {
        Deliverer delivering = carrier.get();
        return delivering == null ? null : delivering.reserve(message, recipients);
    }

    /** Adds the queueing to a round trip of the caller's transaction. */
    public void appendTo(Tx tx, RoundTrip trip, UUID organization, NewSubmission submission) {
        appendTo(tx, trip, organization, submission, null);
    }

    /**
     * Adds the queueing to a round trip of the caller's transaction.
     *
     * @param handover room to carry it at once, or null
     */
    public void appendTo(
            Tx tx, RoundTrip trip, UUID organization, NewSubmission submission, @Nullable ImmediateSlot handover) {
        View view = View.of(organization);
        UUID id = Uuid7.next();
        SubmissionSql.insert(trip, view, id, submission);
        RoundTrip.Result<SubmissionSql.RecipientRow> made =
                SubmissionSql.insertRecipients(trip, view, id, submission, handover);
        if (handover != null) {
            handover.begins(id, submission);
        }
        tx.afterCommit(() -> tell(
                made.rows().stream()
                        .filter(each -> each.submission().equals(id))
                        .toList(),
                handover));
    }

    private void tell(List<SubmissionSql.RecipientRow> made, @Nullable ImmediateSlot handover) {
        Set<Integer> claimed = made.stream()
                .filter(SubmissionSql.RecipientRow::claimed)
                .map(SubmissionSql.RecipientRow::position)
                .collect(Collectors.toSet());
        if (handover != null) {
            handover.committed(claimed, made.getFirst().at());
        }
        Deliverer delivering = carrier.get();
        if (delivering != null && claimed.size() < made.size()) {
            delivering.queued();
        }
    }
}
