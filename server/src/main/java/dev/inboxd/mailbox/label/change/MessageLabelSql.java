package dev.inboxd.mailbox.label.change;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.message.Message;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Updates of the message rows by changes of their labels, many at a time. */
final class MessageLabelSql {
    private static final RowStatement<Message> RELABEL = RowStatement.of(
            """
            update message m set labels = r.labels, restricted = r.restricted, updated_at = r.updated_at,
                trashed_at = case when 'trash' = any (r.labels) then m.trashed_at end
            from {rows} as r where {m} and m.message_id = r.message_id""",
            RowStatement.uuid("message_id", Message::id),
            RowStatement.texts("labels", Message::labels),
            RowStatement.integer("restricted", Message::restricted),
            RowStatement.time("updated_at", Message::updatedAt));

    private MessageLabelSql() {}

    static void relabel(RoundTrip trip, View view, List<Message> messages) {
        trip.change(view, RELABEL, messages);
    }

    static void opened(Tx tx, View view, UUID message, Instant at) {
        tx.sql(view, "update message m set opened_at = :at where {m} and m.message_id = :message")
                .bind("at", at)
                .bind("message", message)
                .run();
    }
}
