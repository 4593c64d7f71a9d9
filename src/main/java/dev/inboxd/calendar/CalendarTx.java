package dev.inboxd.calendar;

import dev.inboxd.event.EventId;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.Objects;

/**
 * One change of a calendar, in a transaction.
 *
 * @param view of the inbox
 * @param stamp the number and time of the change, and of the event that tells of it
 */
public record CalendarTx(Tx tx, View view, Inbox inbox, Tx.Stamp stamp) {
    /**
     * Begins a change. The inbox is looked at again: it may be gone since the request came.
     *
     * @param mails whether mail is to be sent
     * @throws Problem {@code not_found}, or {@code calendar_inbox_required} where mail is to be sent
     */
    static CalendarTx begin(Tx tx, View view, boolean mails) {
        Inbox inbox = Inboxes.find(tx, view, Objects.requireNonNull(view.inbox()))
                .orElseThrow(() -> mails
                        ? Problem.of(
                                ErrorCode.CALENDAR_INBOX_REQUIRED,
                                "The inbox is being deleted, and sends no mail any more")
                        : Problem.notFound("Inbox"));
        return new CalendarTx(tx, view, inbox, tx.next());
    }

    /** The whole organization. */
    public View all() {
        return View.of(view.organization());
    }

    /** When the change takes place. */
    public Instant now() {
        return stamp.at();
    }

    /** The id of the change, which is that of the event that tells of it. */
    public String operation() {
        return EventId.of(view.organization(), stamp);
    }
}
