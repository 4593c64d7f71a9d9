package dev.inboxd.mailbox.hold;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageSecurity;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The rows of verdicts; they are read with the messages. */
public final class MessageSecuritySql {
    private static final RowStatement<Judged> INSERT = RowStatement.of(
            """
            insert into message_security (organization_id, message_id, verdict, reasons, model, completed_at, hold)
            select {organization}, r.* from {rows} as r""",
            RowStatement.uuid("message_id", Judged::message),
            RowStatement.text("verdict", judged -> judged.security.verdict()),
            RowStatement.texts("reasons", judged -> judged.security.reasons()),
            RowStatement.text("model", judged -> judged.security.model()),
            RowStatement.time("completed_at", judged -> judged.security.completedAt()),
            RowStatement.flag("hold", judged -> judged.security.hold()));

    private MessageSecuritySql() {}

    /** A message and the verdict on it. */
    private record Judged(UUID message, MessageSecurity security) {
        static Stream<Judged> of(Message message) {
            MessageSecurity security = message.security();
            return security == null ? Stream.empty() : Stream.of(new Judged(message.id(), security));
        }
    }

    /** Adds the inserts of the verdicts on those of the messages that have one. */
    public static void appendInsert(RoundTrip trip, View view, List<Message> messages) {
        trip.change(view, INSERT, messages.stream().flatMap(Judged::of).toList());
    }

    /** Adds the insert of the verdict on a message that was there without one. */
    public static void appendInsert(RoundTrip trip, View view, UUID message, MessageSecurity security) {
        trip.change(view, INSERT, List.of(new Judged(message, security)));
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
