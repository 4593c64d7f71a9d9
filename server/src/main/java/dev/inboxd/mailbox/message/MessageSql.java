package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.content.StoredContent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Inserts and updates of the message rows, many at a time. Queries are in {@link MessageReads}. */
final class MessageSql {
    private MessageSql() {}

    /** A message to be stored with its content. */
    record Line(Message message, StoredContent content) {}

    private static final RowStatement<Messages.NameQuery> TAKEN = RowStatement.of(
            """
            select {tenant}m.inbox_id, m.name, m.message_id, m.outgoing,
                   case when m.outgoing then m.recipients_to || m.recipients_cc || m.recipients_bcc end as recipients
            from {rows} as w join message m on m.inbox_id = w.inbox_id and m.name = w.name
            where {m}""",
            RowStatement.uuid("inbox_id", Messages.NameQuery::inbox),
            RowStatement.text("name", Messages.NameQuery::name));

    private static final RowStatement<Message> RELABEL = RowStatement.of(
            """
            update message m set labels = r.labels, restricted = r.restricted, updated_at = r.updated_at
            from {rows} as r where {m} and m.message_id = r.message_id""",
            RowStatement.uuid("message_id", Message::id),
            RowStatement.texts("labels", Message::labels),
            RowStatement.integer("restricted", Message::restricted),
            RowStatement.time("updated_at", Message::updatedAt));

    private static final RowStatement<Line> INSERT = RowStatement.of(
            """
            insert into message (organization_id, message_id, inbox_id, pod_id, thread_id, name, labels, restricted,
                                 outgoing, sender, recipients_to, recipients_cc, recipients_bcc, delivered_to, subject,
                                 preview, size, attachments, first_contact, created_at, updated_at)
            select {organization}, m.*, m.created_at from {rows} as m""",
            RowStatement.uuid("message_id", line -> line.message.id()),
            RowStatement.uuid("inbox_id", line -> line.message.place().inbox()),
            RowStatement.uuid("pod_id", line -> line.message.place().pod()),
            RowStatement.uuid("thread_id", line -> line.message.place().thread()),
            RowStatement.text("name", line -> line.message.name()),
            RowStatement.texts("labels", line -> line.message.labels()),
            RowStatement.integer("restricted", line -> line.message.restricted()),
            RowStatement.flag("outgoing", line -> line.message.outgoing()),
            RowStatement.text("sender", line -> line.message.people().from()),
            RowStatement.texts("recipients_to", line -> line.message.people().to()),
            RowStatement.texts(
                    "recipients_cc", line -> someOrNull(line.message.people().cc())),
            RowStatement.texts(
                    "recipients_bcc", line -> someOrNull(line.message.people().bcc())),
            RowStatement.texts(
                    "delivered_to", line -> someOrNull(line.message.people().deliveredTo())),
            RowStatement.text("subject", line -> line.message.subject()),
            RowStatement.text("preview", line -> line.message.preview()),
            RowStatement.bigint("size", line -> line.message.size()),
            RowStatement.integer("attachments", line -> line.message.attachments()),
            RowStatement.flag("first_contact", line -> line.message.firstContact()),
            RowStatement.time("created_at", line -> line.message.createdAt()));

    private static final RowStatement<Line> INSERT_CONTENT = RowStatement.of(
            """
            insert into message_content (organization_id, message_id, inbox_id, raw, header_size, blob, shown,
                                         bodies, sha256)
            select {organization}, c.* from {rows} as c""",
            RowStatement.uuid("message_id", line -> line.message.id()),
            RowStatement.uuid("inbox_id", line -> line.message.place().inbox()),
            RowStatement.bytes("raw", line -> line.content.raw()),
            RowStatement.integer("header_size", line -> line.content.headerSize()),
            RowStatement.text("blob", line -> line.content.blob()),
            RowStatement.bytes(
                    "shown",
                    line -> line.content.readable() == null
                            ? null
                            : line.content.readable().head()),
            RowStatement.bytes(
                    "bodies",
                    line -> line.content.readable() == null
                            ? null
                            : line.content.readable().bodies()),
            RowStatement.bytes("sha256", line -> line.content.sha256()));

    static RoundTrip.Result<Messages.ExistingName> prefetchExisting(
            RoundTrip trip, View view, List<Messages.NameQuery> names) {
        return trip.query(view, TAKEN, names, MessageSql::existing);
    }

    static Messages.ExistingName existing(Row row) {
        return new Messages.ExistingName(
                row.uuid("inbox_id"),
                row.text("name"),
                row.uuid("message_id"),
                row.flag("outgoing"),
                row.texts("recipients"));
    }

    static void insert(RoundTrip trip, View view, List<Line> lines) {
        trip.change(view, INSERT, lines);
        trip.change(view, INSERT_CONTENT, lines);
    }

    static void relabel(RoundTrip trip, View view, List<Message> messages) {
        trip.change(view, RELABEL, messages);
    }

    static void opened(Tx tx, View view, UUID message, Instant at) {
        tx.sql(view, "update message m set opened_at = :at where {m} and m.message_id = :message")
                .bind("at", at)
                .bind("message", message)
                .run();
    }

    private static @Nullable List<String> someOrNull(List<String> addresses) {
        return addresses.isEmpty() ? null : addresses;
    }
}
