package dev.inboxd.submission;

import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.id.Uuid7;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
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
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record NewSubmission(@Nullable UUID message, @Nullable UUID inbox, String reversePath,
            byte @Nullable [] raw, List<String> recipients) {
        public NewSubmission {
            recipients = List.copyOf(recipients);
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
                insert into submission (organization_id, submission_id, message_id, inbox_id, reverse_path, raw, created_at)
                values ({organization}, :id, :message, :inbox, :reverse_path, :raw, {now})""",
                "id", id, "message", submission.message(), "inbox", submission.inbox(),
                "reverse_path", submission.reversePath(), "raw", submission.raw());
        trip.change(view, """
                insert into submission_recipient (organization_id, submission_id, position, recipient, destination, local,
                    state, due_at)
                select {organization}, :id, r.position, r.recipient, lower(substring(r.recipient from '[^@]*$')),
                    exists (select 1 from address a where a.inbox_id is not null
                        and a.address = regexp_replace(lower(r.recipient), '[+][^@]*@', '@')), 'queued', {now}
                from unnest(:recipients::text[]) with ordinality as r (recipient, position)""",
                "id", id, "recipients", submission.recipients());
        tx.afterCommit(() -> wake.get().run());
    }
}
