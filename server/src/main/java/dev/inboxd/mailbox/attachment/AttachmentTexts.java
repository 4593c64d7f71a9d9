package dev.inboxd.mailbox.attachment;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** Text extraction in the attachment rows: when it is due, and the extracted text. */
public final class AttachmentTexts {
    /** Seconds until a claim expires; four times as many after each failed attempt. */
    private static final int LEASE = 120;
    /**
     * So many attempts mean that a text cannot be read: the last one failed, or one that is followed by no other, which
     * counts two more. Earlier programs left one at a file that was read and has no text.
     */
    private static final int MOST_ATTEMPTS = 3;

    private AttachmentTexts() {}

    /** When the next text of an organization is due, by the index of those few that are due at all. */
    public static final String NEXT = "select a.text_due_at from attachment a"
            + " where {a found} and a.text_due_at is not null order by a.text_due_at limit 1";

    /** Attachments of an organization whose text is due, the longest due first. */
    public static List<UUID> due(Tx tx, View all, int most) {
        return tx.sql(
                        all,
                        "select a.attachment_id from attachment a where {a found}"
                                + " and a.text_due_at <= {now} order by a.text_due_at, a.attachment_id limit :most")
                .bind("most", most)
                .list(row -> row.uuid("attachment_id"));
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

    /**
     * How the text of an attachment stands.
     *
     * @param text null when it is not there
     * @param isDue whether it is read later
     * @param attempts without success
     */
    public record State(@Nullable String text, boolean isDue, int attempts) {
        /** The word for a text that is not there. */
        public String word() {
            return isDue ? "pending" : attempts >= MOST_ATTEMPTS ? "failed" : "none";
        }
    }

    /** How the text of an attachment stands. The caller checks that the view shows its message. */
    public static State state(Tx tx, View view, UUID id) {
        return tx.sql(
                        view,
                        "select a.text, a.text_due_at is not null as due, a.text_attempts from attachment a"
                                + " where a.organization_id = {organization} and a.attachment_id = :id")
                .bind("id", id)
                .first(row -> {
                    byte[] text = row.bytesOrNull("text");
                    return new State(
                            text == null ? null : inflated(text), row.flag("due"), row.integer("text_attempts"));
                })
                .orElse(new State(null, false, 0));
    }

    /** The text that was stored deflated. */
    public static String inflated(byte[] stored) {
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(stored))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Ends the extraction for an attachment that cannot be read: no further attempt would read it. */
    public static void giveUp(Tx tx, View view, UUID id) {
        tx.sql(
                        view,
                        "update attachment a set text_due_at = null, text_attempts = a.text_attempts + 2"
                                + " where a.organization_id = {organization} and a.attachment_id = :id")
                .bind("id", id)
                .run();
    }

    /** Ends the extraction for an attachment that was read, with its text or without. */
    public static void record(Tx tx, View view, UUID id, byte @Nullable [] deflated) {
        tx.sql(
                        view,
                        "update attachment a set text_due_at = null, text = :text, text_attempts = 0"
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
