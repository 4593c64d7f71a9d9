package dev.inboxd.mailbox.message;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.View;
import java.util.List;
import java.util.UUID;

/** The rows of verdicts; they are read with the messages. */
final class MessageSecuritySql {
    private static final RowStatement<Message> INSERT = RowStatement.of(
            """
            insert into message_security (organization_id, message_id, verdict, reasons, model, completed_at, hold)
            select {organization}, r.* from {rows} as r""",
            RowStatement.uuid("message_id", Message::id),
            RowStatement.text("verdict", message -> verdict(message).verdict()),
            RowStatement.texts("reasons", message -> verdict(message).reasons()),
            RowStatement.text("model", message -> verdict(message).model()),
            RowStatement.time("completed_at", message -> verdict(message).completedAt()),
            RowStatement.flag("hold", message -> verdict(message).hold()));

    private MessageSecuritySql() {}

    private static MessageSecurity verdict(Message message) {
        MessageSecurity security = message.security();
        if (security == null) {
            throw new IllegalArgumentException("A message without a verdict");
        }
        return security;
    }

    /** Adds the inserts of the verdicts on those of the messages that have one. */
    static void appendInsert(RoundTrip trip, View view, List<MessageSql.Line> lines) {
        trip.change(
                view,
                INSERT,
                lines.stream()
                        .map(MessageSql.Line::message)
                        .filter(message -> message.security() != null)
                        .toList());
    }

    /** Adds the release of a message to its verdict. */
    static void appendOverride(RoundTrip trip, View all, UUID message, MessageSecurity.ManualOverride override) {
        trip.change(
                all,
                "update message_security y set override_id = :override, released_by = :by, released_by_user = :user,"
                        + " release_reason = :reason, released_at = :at where {y} and y.message_id = :message",
                "override",
                override.id(),
                "by",
                override.actor().id(),
                "user",
                override.actor().isUser(),
                "reason",
                override.reason(),
                "at",
                override.createdAt(),
                "message",
                message);
    }
}
