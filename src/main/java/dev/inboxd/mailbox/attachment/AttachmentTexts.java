package dev.inboxd.mailbox.attachment;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Text extraction in the attachment rows: when it is due, and the extracted text. */
public final class AttachmentTexts {
    /** Seconds until a claim expires; four times as many after each failed attempt. */
    private static final int LEASE = 120;

    private AttachmentTexts() {}

    /** An attachment whose text extraction is due. */
    public record DueAttachment(UUID organization, UUID attachment) {}

    /**
     * Attachments that are due, of all organizations: the longest due of each organization first, then the second of
     * each, and so on. So no organization waits for all attachments of another.
     *
     * @param each limit for one organization
     * @param most limit for all together
     */
    public static List<DueAttachment> due(Tx tx, int each, int most) {
        return tx.sqlAcrossTenants("""
                select d.organization_id, d.attachment_id
                from (select a.organization_id, a.attachment_id, a.text_due_at, row_number() over (
                             partition by a.organization_id order by a.text_due_at, a.attachment_id) as turn
                      from attachment a where a.text_due_at <= {now}) d
                where d.turn <= :each order by d.turn, d.text_due_at, d.attachment_id limit :most""")
                .bind("each", each)
                .bind("most", most)
                .list(row -> new DueAttachment(row.uuid("organization_id"), row.uuid("attachment_id")));
    }

    /**
     * Claims one attachment; empty when it was deleted or another node has claimed it. The third claim is the last.
     */
    public static Optional<Attachment> claim(Tx tx, View view, UUID id) {
        return tx.sql(view, """
                update attachment a
                set text_due_at = ({now} at time zone 'UTC' + case when a.text_attempts < 2
                        then make_interval(secs => :lease * power(4, a.text_attempts)) end) at time zone 'UTC',
                    text_attempts = a.text_attempts + 1
                where a.organization_id = {organization} and a.attachment_id = :id and a.text_due_at <= {now}
                returning""" + " " + Attachments.COLUMNS)
                .bind("lease", LEASE)
                .bind("id", id)
                .first(Attachments::read);
    }

    /** Ends the extraction for an attachment, with its text or without. */
    public static void record(Tx tx, View view, UUID id, byte @Nullable [] deflated) {
        tx.sql(
                        view,
                        "update attachment a set text_due_at = null, text = :text"
                                + " where a.organization_id = {organization} and a.attachment_id = :id")
                .bind("text", deflated)
                .bind("id", id)
                .run();
    }

    /** The text of an attachment, deflated UTF-8. The caller checks that the view shows its message. */
    public static Optional<byte[]> find(Tx tx, View view, UUID id) {
        return tx.sql(
                        view,
                        "select a.text from attachment a where a.organization_id = {organization}"
                                + " and a.attachment_id = :id and a.text is not null")
                .bind("id", id)
                .first(row -> row.bytes("text"));
    }
}
