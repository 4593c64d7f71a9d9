package dev.inboxd.mailbox.storage;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.content.StoredContent;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageReads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Inserts of the message rows with their content, many at a time. Queries are in {@link MessageReads}. */
final class MessageSql {
    private MessageSql() {}

    /**
     * A message to be stored with its content.
     *
     * @param isAutomatic whether it was sent and says that a machine wrote it
     */
    record Line(Message message, StoredContent content, boolean isAutomatic) {}

    private static final RowStatement<Line> INSERT = RowStatement.of(
            """
            insert into message (organization_id, message_id, inbox_id, pod_id, thread_id, name, labels, restricted,
                                 outgoing, sender, recipients_to, recipients_cc, recipients_bcc, delivered_to, subject,
                                 preview, size, attachments, first_contact, automatic, created_at, updated_at)
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
            RowStatement.flag("automatic", line -> line.isAutomatic ? true : null),
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

    static void insert(RoundTrip trip, View view, List<Line> lines) {
        trip.change(view, INSERT, lines);
        trip.change(view, INSERT_CONTENT, lines);
    }

    private static @Nullable List<String> someOrNull(List<String> addresses) {
        return addresses.isEmpty() ? null : addresses;
    }
}
