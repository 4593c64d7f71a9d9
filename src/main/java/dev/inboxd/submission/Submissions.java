package dev.inboxd.submission;

import dev.inboxd.database.Row;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.id.Uuid7;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Queues mail. What is queued in a transaction is tried, once that is committed, until it is settled (promise P2). */
public final class Submissions {
    private final AtomicReference<@Nullable Carrier> carrier = new AtomicReference<>();

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
    public record NewSubmission(@Nullable UUID message, @Nullable UUID inbox, String reversePath,
            byte @Nullable [] raw, List<String> recipients, DsnRequest dsn) {
        public NewSubmission {
            recipients = List.copyOf(recipients);
        }

        /** Something of which nobody is told by mail. */
        public NewSubmission(@Nullable UUID message, @Nullable UUID inbox, String reversePath, byte @Nullable [] raw,
                List<String> recipients) {
            this(message, inbox, reversePath, raw, recipients, DsnRequest.NONE);
        }

        private List<RecipientDsn> told() {
            return IntStream.range(0, recipients.size()).mapToObj(dsn::of).toList();
        }
    }

    /** A message that is at hand, with the digest of its bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record AtHand(UUID organization, byte[] bytes, byte[] sha256) {}

    /** Carries what is queued. */
    public interface Carrier {
        /** Something was queued; a hint, must not block. */
        void queued();

        /** Room to carry a message to these recipients as soon as it is committed; null when it has to wait its turn. */
        @Nullable Handover handover(AtHand message, List<String> recipients);
    }

    /**
     * Room for one submission. Its rows are made as if its carrier had claimed them: nobody need look for them, and the
     * bytes are not read again. To be closed after the transaction, whatever became of it; what is not known to be
     * committed by then is found by its rows, if there are any.
     */
    public interface Handover extends AutoCloseable {
        /** Who claims. */
        UUID node();

        /** For how long. */
        Duration lease();

        /** Rows of that submission are about to be written. */
        void begins(UUID submission, NewSubmission contents);

        /**
         * They are committed.
         *
         * @param positions of the recipients that are claimed, from 1; whoever has an inbox here is not
         */
        void committed(Set<Integer> positions, Instant at);

        @Override
        void close();
    }

    /** Says who delivers. */
    public void deliveredBy(Carrier delivering) {
        carrier.set(delivering);
    }

    /** Room for a message that is about to be queued, or null; see {@link Handover}. */
    public @Nullable Handover handover(AtHand message, List<String> recipients) {
        Carrier delivering = carrier.get();
        return delivering == null ? null : delivering.handover(message, recipients);
    }

    /** Adds the queueing to a round trip of the caller's transaction. */
    public void queueWith(Tx tx, RoundTrip trip, UUID organization, NewSubmission submission) {
        queueWith(tx, trip, organization, submission, null);
    }

    /**
     * Adds the queueing to a round trip of the caller's transaction.
     *
     * @param handover room to carry it at once, or null
     */
    public void queueWith(Tx tx, RoundTrip trip, UUID organization, NewSubmission submission,
            @Nullable Handover handover) {
        View view = View.of(organization);
        UUID id = Uuid7.next();
        trip.change(view, """
                insert into submission (organization_id, submission_id, message_id, inbox_id, reverse_path, raw, ret, envid,
                                        created_at)
                values ({organization}, :id, :message, :inbox, :reverse_path, :raw, :ret, :envid, {now})""",
                "id", id, "message", submission.message(), "inbox", submission.inbox(),
                "reverse_path", submission.reversePath(), "raw", submission.raw(),
                "ret", submission.dsn().mail().ret(), "envid", submission.dsn().mail().envid());
        RoundTrip.Pending<Made> made = trip.look(view, """
                insert into submission_recipient (organization_id, submission_id, position, recipient, destination, local,
                    notify, orcpt, state, claimed_by, attempts, due_at)
                select {organization}, :id, r.position, r.recipient, lower(substring(r.recipient from '[^@]*$')), l.local,
                    r.notify, r.orcpt, case when c.claimed then 'sending' else 'queued' end, case when c.claimed then :node::uuid end,
                    c.claimed::integer, {now} + make_interval(secs => case when c.claimed then :lease::float8 else 0 end)
                from unnest(:recipients::text[], :notify::text[], :orcpt::text[])
                    with ordinality as r (recipient, notify, orcpt, position)
                cross join lateral (select exists (select 1 from address a where a.inbox_id is not null
                    and a.address = regexp_replace(lower(r.recipient), '[+][^@]*@', '@')) as local) as l
                cross join lateral (select :node::uuid is not null and not l.local as claimed) as c
                returning position, state = 'sending' as claimed, {now} as at""", Made::read,
                "id", id, "recipients", submission.recipients(),
                "notify", submission.told().stream().map(RecipientDsn::conditions).toList(),
                "orcpt", submission.told().stream().map(RecipientDsn::orcpt).toList(),
                "node", handover == null ? null : handover.node(),
                "lease", handover == null ? 0.0 : (double) handover.lease().toSeconds());
        if (handover != null) {
            handover.begins(id, submission);
        }
        tx.afterCommit(() -> tell(made.rows(), handover));
    }

    /** A recipient's row as it was made. */
    private record Made(int position, boolean claimed, Instant at) {
        static Made read(Row row) {
            return new Made(row.integer("position"), row.flag("claimed"), row.instant("at"));
        }
    }

    private void tell(List<Made> made, @Nullable Handover handover) {
        Set<Integer> claimed = made.stream().filter(Made::claimed).map(Made::position).collect(Collectors.toSet());
        if (handover != null) {
            handover.committed(claimed, made.getFirst().at);
        }
        Carrier delivering = carrier.get();
        if (delivering != null && claimed.size() < made.size()) {
            delivering.queued();
        }
    }
}
