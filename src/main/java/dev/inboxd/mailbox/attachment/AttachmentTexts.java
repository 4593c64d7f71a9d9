package dev.inboxd.mailbox.attachment;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the attachment rows know of the text in attachments: when to read it, and what was read. */
public final class AttachmentTexts {
    /** The seconds that a claim stands, four times as many after each that came to nothing. */
    private static final int LEASE = 120;

    private AttachmentTexts() {}

    /** An attachment whose text is to be read now. */
    public record DueAttachment(UUID organization, UUID attachment) {}

    /**
     * Some that are due in any organization: the longest due of each first, then the second of each, and so on. So
     * nobody waits behind all that another was sent.
     *
     * @param each at most so many of one organization
     * @param most at most so many in all
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

    /** Takes one; nothing when it is gone or somebody else has it. The third claim is the last. */
    public static Optional<Attachment> claim(Tx tx, View view, UUID id) {
        return tx.sql(view, """
                update attachment a
                set text_due_at = case when a.text_attempts < 2
                                       then {now} + make_interval(secs => :lease * power(4, a.text_attempts)) end,
                    text_attempts = a.text_attempts + 1
                where a.organization_id = {organization} and a.attachment_id = :id and a.text_due_at <= {now}
                returning""" + " " + Attachments.COLUMNS)
                .bind("lease", LEASE)
                .bind("id", id)
                .first(Attachments::read);
    }

    /** Ends the reading of one, with its text or without. */
    public static void record(Tx tx, View view, UUID id, byte @Nullable [] deflated) {
        tx.sql(
                        view,
                        "update attachment a set text_due_at = null, text = :text where a.organization_id = {organization}"
                                + " and a.attachment_id = :id")
                .bind("text", deflated)
                .bind("id", id)
                .run();
    }

    /** The text of one, deflated UTF-8; whether its message is visible is the caller's to ask. */
    public static Optional<byte[]> find(Tx tx, View view, UUID id) {
        return tx.sql(
                        view,
                        "select a.text from attachment a where a.organization_id = {organization}"
                                + " and a.attachment_id = :id and a.text is not null")
                .bind("id", id)
                .first(row -> row.bytes("text"));
    }
}
