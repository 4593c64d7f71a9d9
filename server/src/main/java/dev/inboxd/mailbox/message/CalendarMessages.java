package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which received messages have a calendar that may be taken in, and what became of it (calendar.md §7). */
public final class CalendarMessages {
    private static final String IMPORTED = "taken";

    /**
     * What became of the calendar of a message.
     *
     * @param event the event or date that it made or changed, as in paths; null for none
     * @param outcome {@code taken}, or why it was ignored; null while it was not read, or was by a version of before
     */
    public record MailedCalendar(
            UUID message, @Nullable String event, @Nullable String outcome) {
        /** As in answers; null while nothing is known. */
        @Nullable
        JsonObject json() {
            return outcome == null
                    ? null
                    : outcome.equals(IMPORTED)
                            ? JsonObject.of("status", IMPORTED)
                            : JsonObject.of("status", "ignored").with("reason", outcome);
        }
    }

    private static final RowStatement<UUID> OF_MESSAGES = RowStatement.of(
            "select {tenant}c.message_id, c.event_id, c.outcome from {rows} as r"
                    + " join calendar_message c on {c} and c.message_id = r.message_id"
                    + " and (c.event_id is not null or c.outcome is not null)",
            RowStatement.uuid("message_id", id -> id));

    private CalendarMessages() {}

    /** Looks up what became of the calendars of some messages; the result has a row for each that was looked at. */
    static RoundTrip.Result<MailedCalendar> prefetch(RoundTrip trip, View view, List<UUID> messages) {
        View all = View.of(view.organization()); // the messages were found through the view
        return trip.query(
                all,
                OF_MESSAGES,
                messages,
                row -> new MailedCalendar(
                        row.uuid("message_id"), row.textOrNull("event_id"), row.textOrNull("outcome")));
    }

    /**
     * Records that a message has a calendar, in the transaction that stores the message.
     *
     * @param author whose word it is, for certain; empty for nobody's
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
        return tx.sql(
                        all,
                        "select c.author from calendar_message c where {c} and c.message_id = :message"
                                + " and c.author <> ''")
                .bind("message", message)
                .first(row -> row.text("author"));
    }

    /** Records what became of the calendar of a message; without an event, the one that is known stays. */
    public static void setOutcome(Tx tx, View all, MailedCalendar calendar) {
        tx.sql(
                        all,
                        "update calendar_message c set outcome = :outcome, event_id = coalesce(:event, c.event_id)"
                                + " where {c} and c.message_id = :message")
                .bind("outcome", calendar.outcome)
                .bind("event", calendar.event)
                .bind("message", calendar.message)
                .run();
    }
}
