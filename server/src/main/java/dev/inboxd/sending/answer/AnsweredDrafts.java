package dev.inboxd.sending.answer;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Ends the schedules of drafts that an answer cancels, in the commit that stores the answer (mail.md §18.4). */
public final class AnsweredDrafts {
    /** Mail that was sent longer ago says nothing of whose answer it is. */
    private static final Duration RECENT = Duration.ofDays(30);

    private static final RowStatement<Message> CANCEL = RowStatement.of(
            """
            update draft d
            set send_status = 'cancelled', send_error = 'answered: ' || r.name, send_at = null, due_at = null,
                labels = array_remove(d.labels, 'scheduled')
            from {rows} as r
            where {d} and d.inbox_id = r.inbox_id and d.cancel_on_reply and d.send_status = 'scheduled'
              and case when d.cancel_to is null then d.cancel_thread = r.thread_id else exists (
                  select 1 from message m
                  cross join lateral unnest(m.recipients_to || m.recipients_cc || m.recipients_bcc) as a (shown)
                  cross join lateral unnest(d.cancel_to) as c (address)
                  where m.organization_id = {organization} and m.thread_id = r.thread_id and m.outgoing
                    and m.created_at > r.since and (lower(a.shown) = c.address
                        or right(lower(a.shown), length(c.address) + 2) = '<' || c.address || '>')) end""",
            RowStatement.uuid("inbox_id", message -> message.place().inbox()),
            RowStatement.uuid("thread_id", message -> message.place().thread()),
            RowStatement.text("name", Message::name),
            RowStatement.time("since", message -> since(message.createdAt())));

    private final List<Message> received = new ArrayList<>();

    private static Instant since(Instant at) {
        return at.minus(RECENT);
    }

    /**
     * Notes a message that was received: a clean one that no machine wrote ends schedules.
     *
     * @param isReply whether it came into a thread that was there
     */
    public void add(Message message, boolean isReply) {
        if (isReply
                && message.restricted() == 0
                && !message.labels().contains(Labels.AUTO_REPLY)
                && !message.labels().contains(Labels.REJECTED)) {
            received.add(message);
        }
    }

    /** Ends the schedules that a message answers which was held, in the transaction that releases it. */
    public static void released(Tx tx, View all, Message message) {
        AnsweredDrafts answered = new AnsweredDrafts();
        answered.add(message, true);
        RoundTrip writes = tx.roundTrip();
        answered.appendTo(writes, all);
        writes.run();
    }

    /** Ends the schedules that these messages answer. */
    public void appendTo(RoundTrip writes, View all) {
        writes.change(all, CANCEL, received);
    }
}
