package dev.inboxd.calendar.series;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.event.EventId;
import dev.inboxd.sending.AuthorKeys;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One change of a calendar, in a transaction.
 *
 * @param view of the inbox
 * @param stamp the number and time of the change, and of the event that tells of it
 * @param author who makes it
 */
public record CalendarTx(Tx tx, View view, Inbox inbox, Tx.Stamp stamp, Author author) {
    /**
     * Who makes a change, as far as the approval of its mail depends on it (approvals.md §1).
     *
     * @param key the key that does; null for a person, or for nobody
     * @param needsApproval whether nothing leaves through that key without approval, or one that wrote before
     * @param keys every key that wrote in the event
     */
    public record Author(@Nullable UUID key, boolean needsApproval, AuthorKeys keys) {
        /** Nobody, or somebody who sends no mail by it. */
        public static final Author NONE = new Author(null, false, AuthorKeys.NONE);

        /** The caller. */
        public static Author of(Caller caller) {
            return new Author(caller.apiKeyId(), caller.needsApproval(), AuthorKeys.of(caller.apiKeyId()));
        }

        /** The same in an event that others wrote before. */
        public Author after(Author before) {
            return new Author(key, needsApproval || before.needsApproval, before.keys.and(keys));
        }
    }

    /**
     * Who changes an inbox's calendar.
     *
     * @param view of the inbox
     */
    public record Editor(View view, Author author) {}

    /** Begins a change by a caller, as {@link #begin(Tx, View, boolean)}. */
    public static CalendarTx begin(Tx tx, Editor editor, boolean mails) {
        CalendarTx change = begin(tx, editor.view, mails);
        return new CalendarTx(tx, change.view, change.inbox, change.stamp, editor.author);
    }

    /**
     * Begins a change. The inbox is looked at again: it may be gone since the request came.
     *
     * @param mails whether mail is to be sent
     * @throws Problem {@code not_found}, or {@code calendar_inbox_required} where mail is to be sent
     */
    public static CalendarTx begin(Tx tx, View view, boolean mails) {
        Inbox inbox = Inboxes.find(tx, view, Objects.requireNonNull(view.inbox()))
                .orElseThrow(() -> mails
                        ? Problem.of(
                                ErrorCode.CALENDAR_INBOX_REQUIRED,
                                "The inbox is being deleted, and sends no mail any more")
                        : Problem.notFound("Inbox"));
        return new CalendarTx(tx, view, inbox, tx.next(), Author.NONE);
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
