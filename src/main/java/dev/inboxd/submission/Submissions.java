package dev.inboxd.submission;

import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.id.Uuid7;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Queues mail. What is queued in a transaction is tried, once that is committed, until it is settled (promise P2). */
public final class Submissions {
    private final AtomicReference<Runnable> wake = new AtomicReference<>(() -> {});

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

    /** Says who delivers: woken after each commit that queued something. */
    public void onQueued(Runnable hint) {
        wake.set(hint);
    }

    /** Adds the queueing to a round trip of the caller's transaction. */
    public void queueWith(Tx tx, RoundTrip trip, UUID organization, NewSubmission submission) {
        View view = View.of(organization);
        UUID id = Uuid7.next();
        trip.change(view, """
                insert into submission (organization_id, submission_id, message_id, inbox_id, reverse_path, raw, ret, envid,
                                        created_at)
                values ({organization}, :id, :message, :inbox, :reverse_path, :raw, :ret, :envid, {now})""",
                "id", id, "message", submission.message(), "inbox", submission.inbox(),
                "reverse_path", submission.reversePath(), "raw", submission.raw(),
                "ret", submission.dsn().mail().ret(), "envid", submission.dsn().mail().envid());
        trip.change(view, """
                insert into submission_recipient (organization_id, submission_id, position, recipient, destination, notify, orcpt,
                                                  state, due_at)
                select {organization}, :id, r.position, r.recipient, lower(substring(r.recipient from '[^@]*$')), r.notify, r.orcpt,
                       'queued', {now}
                from unnest(:recipients::text[], :notify::text[], :orcpt::text[])
                    with ordinality as r (recipient, notify, orcpt, position)""",
                "id", id, "recipients", submission.recipients(),
                "notify", submission.told().stream().map(RecipientDsn::conditions).toList(),
                "orcpt", submission.told().stream().map(RecipientDsn::orcpt).toList());
        tx.afterCommit(() -> wake.get().run());
    }
}
