package dev.inboxd.calendar.invitation;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.sending.AuthorKeys;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of mails that are to be sent. */
final class InvitationSql {
    private InvitationSql() {}

    static void insert(CalendarTx change, InvitationMail mail) {
        change.tx()
                .sql(change.all(), """
                insert into calendar_mail (organization_id, operation, method, pod_id, inbox_id, subject, body,
                                           calendar, answers, recipients, author_key, author_keys, key_approval)
                values ({organization}, :operation, :method, :pod, :inbox, :subject, :body, :calendar, :answers,
                        :recipients, :author, :authors, :approval)""")
                .bind("operation", mail.operation())
                .bind("method", mail.method())
                .bind("pod", change.inbox().pod())
                .bind("inbox", mail.inbox())
                .bind("subject", mail.text().subject())
                .bind("body", mail.text().body())
                .bind("calendar", mail.calendar())
                .bind("answers", mail.answers())
                .bind("recipients", mail.recipients())
                .bind("author", mail.author().key())
                .bind("authors", mail.author().keys().column())
                .bind("approval", mail.author().needsApproval())
                .run();
    }

    /** The mails of a change that are not sent to everybody yet. */
    static List<InvitationMail> list(Tx tx, View all, String operation) {
        return tx.sql(
                        all,
                        "select m.inbox_id, m.operation, m.method, m.subject, m.body, m.calendar, m.answers,"
                                + " m.recipients, m.author_key, m.author_keys, m.key_approval from calendar_mail m"
                                + " where {m} and m.operation = :operation"
                                + " order by m.method desc")
                .bind("operation", operation)
                .list(InvitationSql::read);
    }

    private static InvitationMail read(Row row) {
        return new InvitationMail(
                row.uuid("inbox_id"),
                row.text("operation"),
                row.text("method"),
                new InvitationMail.Text(row.text("subject"), row.text("body")),
                row.text("calendar"),
                row.textOrNull("answers"),
                row.texts("recipients"),
                new CalendarTx.Author(
                        row.uuidOrNull("author_key"),
                        row.flag("key_approval"),
                        new AuthorKeys(row.uuids("author_keys"))));
    }

    /** Lets mails that a key made need approval, and returns where the next part of them begins. */
    static @Nullable String bind(Tx tx, View all, KeyWritings.Part part) {
        List<KeyWritings.ScannedRow> writings = tx.sql(all, """
                select o.operation as id,
                    bool_or(not o.key_approval and (o.author_key = :key or :key = any (o.author_keys))) as marks
                from calendar_mail o where {o} and o.operation > :after
                group by o.operation order by o.operation limit :most""")
                .bind("key", part.key())
                .bind("after", part.after())
                .bind("most", part.most())
                .list(KeyWritings.ScannedRow::read);
        List<String> marked = KeyWritings.ScannedRow.marked(writings);
        if (!marked.isEmpty()) {
            tx.sql(all, """
                    update calendar_mail m set key_approval = true
                    where {m} and m.operation = any (:ids)
                        and (m.author_key = :key
                            or :key = any (m.author_keys))""").bind("ids", marked).bind("key", part.key()).run();
        }
        return part.next(writings);
    }

    /** One recipient of a mail. */
    record Recipient(String operation, String method, String address) {}

    private static final RowStatement.Column<Recipient> OPERATION =
            RowStatement.text("operation", Recipient::operation);
    private static final RowStatement.Column<Recipient> METHOD = RowStatement.text("method", Recipient::method);
    private static final RowStatement.Column<Recipient> ADDRESS = RowStatement.text("address", Recipient::address);

    private static final RowStatement<Recipient> SELECT = RowStatement.of("""
            select {tenant}r.operation, r.method, r.address from {rows} as r join calendar_mail m
            on {m} and m.operation = r.operation and m.method = r.method
                and r.address = any (m.recipients)""", OPERATION, METHOD, ADDRESS);
    private static final RowStatement<Recipient> REMOVE = RowStatement.of("""
            update calendar_mail m set recipients = array_remove(m.recipients, r.address) from {rows} as r
            where {m} and m.operation = r.operation and m.method = r.method""", OPERATION, METHOD, ADDRESS);

    /** Asks whether a recipient is still to get his mail. */
    static RoundTrip.Result<Recipient> prefetch(RoundTrip opening, View all, Recipient recipient) {
        return opening.query(
                all,
                SELECT,
                List.of(recipient),
                row -> new Recipient(row.text("operation"), row.text("method"), row.text("address")));
    }

    /** Records that a recipient's mail is sent. */
    static void appendRemove(RoundTrip writes, View all, Recipient recipient) {
        writes.change(all, REMOVE, List.of(recipient));
    }

    /** Records that a recipient gets no mail. */
    static void remove(Tx tx, View all, Recipient recipient) {
        RoundTrip writes = tx.roundTrip();
        appendRemove(writes, all, recipient);
        writes.run();
    }

    /** Deletes the mails of a change, which all were sent. */
    static void delete(Tx tx, View all, String operation) {
        tx.sql(
                        all,
                        "delete from calendar_mail m where {m} and m.operation = :operation"
                                + " and cardinality(m.recipients) = 0")
                .bind("operation", operation)
                .run();
    }
}
