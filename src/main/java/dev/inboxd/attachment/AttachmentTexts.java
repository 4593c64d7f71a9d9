package dev.inboxd.attachment;

import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
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
    public record Due(UUID organization, UUID attachment) {}

    /** Some that are due in any organization, longest first. */
    public static List<Due> due(Tx tx, int most) {
        return tx.sqlAcross("select a.organization_id, a.attachment_id from attachment a where a.text_due_at <= {now}"
                + " order by a.text_due_at limit :most").bind("most", most)
                .list(row -> new Due(row.uuid("organization_id"), row.uuid("attachment_id")));
    }

    /** Takes one; nothing when it is gone or somebody else has it. The third claim is the last. */
    public static Optional<Attachment> claim(Tx tx, View view, UUID id) {
        return tx.sql(view, """
                update attachment a
                set text_due_at = case when a.text_attempts < 2
                                       then {now} + make_interval(secs => :lease * power(4, a.text_attempts)) end,
                    text_attempts = a.text_attempts + 1
                where a.organization_id = {organization} and a.attachment_id = :id and a.text_due_at <= {now}
                returning""" + " " + Attachments.COLUMNS).bind("lease", LEASE).bind("id", id).first(Attachments::read);
    }

    /** Ends the reading of one, with its text or without. */
    public static void settle(Tx tx, View view, UUID id, byte @Nullable [] deflated) {
        tx.sql(view, "update attachment a set text_due_at = null, text = :text where a.organization_id = {organization}"
                + " and a.attachment_id = :id").bind("text", deflated).bind("id", id).run();
    }

    /** The text of one, deflated UTF-8; whether its message is visible is the caller's to ask. */
    public static Optional<byte[]> find(Tx tx, View view, UUID id) {
        return tx.sql(view, "select a.text from attachment a where a.organization_id = {organization}"
                + " and a.attachment_id = :id and a.text is not null").bind("id", id).first(row -> row.bytes("text"));
    }
}
