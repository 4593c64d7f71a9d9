package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Which received messages have a calendar that may be taken in, and what became of it (calendar.md §7). */
public final class CalendarMessages {
    /** The event or date that a message made or changed, as in paths. */
    record ChangedEvent(UUID message, String event) {}

    private static final RowStatement<UUID> OF_MESSAGES = RowStatement.of(
            "select {tenant}c.message_id, c.event_id from {rows} as r"
                    + " join calendar_message c on {c} and c.message_id = r.message_id and c.event_id is not null",
            RowStatement.uuid("message_id", id -> id));

    private CalendarMessages() {}

    /** Looks up the events of some messages; the result has a row for each message that made or changed one. */
    static RoundTrip.Result<ChangedEvent> prefetch(RoundTrip trip, View view, List<UUID> messages) {
        View all = View.of(view.organization()); // the messages were found through the view
        return trip.query(
                all, OF_MESSAGES, messages, row -> new ChangedEvent(row.uuid("message_id"), row.text("event_id")));
    }

    /**
     * Records that a message has a calendar, in the transaction that stores the message.
     *
     * @param author whose word it is, for certain
     */
    public static void insert(Tx tx, View all, UUID message, String author) {
        tx.sql(
                        all,
                        "insert into calendar_message (organization_id, message_id, author)"
                                + " values ({organization}, :message, :author)")
                .bind("message", message)
                .bind("author", author)
                .run();
    }

    /** Whose word the calendar of a message is; empty when it has none that may be taken in. */
    public static Optional<String> author(Tx tx, View all, UUID message) {
        return tx.sql(all, "select c.author from calendar_message c where {c} and c.message_id = :message")
                .bind("message", message)
                .first(row -> row.text("author"));
    }

    /** Records the event or date that a message made or changed. */
    public static void setEvent(Tx tx, View all, UUID message, String event) {
        tx.sql(all, "update calendar_message c set event_id = :event where {c} and c.message_id = :message")
                .bind("event", event)
                .bind("message", message)
                .run();
    }
}
