package dev.inboxd.sending.feedback;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** SQL on submitted mail, for reports about it. */
final class FeedbackSql {
    private static final String SELECT = """
            select s.submission_id, s.message_id, m.name, i.inbox_id, i.address, r.position, r.recipient, r.state,
                   r.complained_at, r.notify
            from submission s
            join submission_recipient r on r.organization_id = s.organization_id and r.submission_id = s.submission_id
            left join message m on m.organization_id = s.organization_id and m.message_id = s.message_id
            left join inbox i on i.organization_id = s.organization_id and i.inbox_id = s.inbox_id and not i.deleting
            where s.organization_id = {organization}""";

    private FeedbackSql() {}

    /**
     * A recipient of a message, and the message.
     *
     * @param message null for mail of the service itself
     * @param name the Message-ID, null when the message was deleted
     * @param inbox the inbox that sent it, null when the inbox was deleted
     * @param inboxName the address of that inbox
     * @param dsn the delivery status notifications that the sender requested
     */
    record Line(
            RecipientReport.Recipient recipient,
            String state,
            boolean complained,
            @Nullable UUID message,
            @Nullable String name,
            @Nullable UUID inbox,
            @Nullable String inboxName,
            RecipientDsn dsn) {
        static Line read(Row row) {
            return new Line(
                    new RecipientReport.Recipient(
                            row.uuid("submission_id"), row.integer("position"), row.text("recipient")),
                    row.text("state"),
                    row.instantOrNull("complained_at") != null,
                    row.uuidOrNull("message_id"),
                    row.textOrNull("name"),
                    row.uuidOrNull("inbox_id"),
                    row.textOrNull("address"),
                    new RecipientDsn(row.text("notify"), ""));
        }
    }

    /** The recipients of a submission, in order. */
    static List<Line> ofSubmission(Tx tx, View all, UUID submission) {
        return tx.sql(all, SELECT + " and s.submission_id = :submission order by r.position")
                .bind("submission", submission)
                .list(Line::read);
    }

    /** The recipients of the message with this Message-ID that one of these inboxes sent. */
    static List<Line> ofMessage(Tx tx, View all, String name, Collection<UUID> inboxes) {
        return tx.sql(
                        all,
                        SELECT + " and s.message_id in (select n.message_id from message n"
                                + " where n.organization_id = {organization} and n.inbox_id = any (:inboxes)"
                                + " and n.name = :name and n.outgoing)"
                                + " order by r.position")
                .bind("inboxes", inboxes.toArray(UUID[]::new))
                .bind("name", name)
                .list(Line::read);
    }

    /** One recipient as it is now, read after the organization's clock row was locked. */
    static Optional<Line> now(Tx tx, View all, RecipientReport.Recipient recipient) {
        return tx.sql(all, SELECT + " and s.submission_id = :submission and r.position = :position")
                .bind("submission", recipient.submission())
                .bind("position", recipient.position())
                .first(Line::read);
    }

    /**
     * Marks a recipient as bounced and ends its delivery. Returns false when delivery is still being attempted and the
     * report is not proven.
     */
    static boolean bounced(Tx tx, View all, RecipientReport report, String reply) {
        RecipientReport.Recipient recipient = report.recipient();
        return tx.sql(all, """
                update submission_recipient r
                set state = 'bounced', last_reply = :reply, due_at = null, settled_at = least(r.settled_at, {now})
                where r.organization_id = {organization} and r.submission_id = :submission and r.position = :position
                  and (:proven or r.settled_at is not null)""")
                        .bind("reply", reply)
                        .bind("submission", recipient.submission())
                        .bind("position", recipient.position())
                        .bind("proven", report.proven())
                        .run()
                == 1;
    }

    static void complained(Tx tx, View all, RecipientReport.Recipient recipient) {
        tx.sql(
                        all,
                        "update submission_recipient r set complained_at = {now}"
                                + " where r.organization_id = {organization}"
                                + " and r.submission_id = :submission and r.position = :position")
                .bind("submission", recipient.submission())
                .bind("position", recipient.position())
                .run();
    }
}
