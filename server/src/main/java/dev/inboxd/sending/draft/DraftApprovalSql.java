package dev.inboxd.sending.draft;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.sending.AuthorKeys;
import dev.inboxd.sending.ReservedMessage;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** SQL on what waits for approval. */
final class DraftApprovalSql {
    private DraftApprovalSql() {}

    static Draft.@Nullable Approval approval(Row row) {
        String state = row.textOrNull("approval");
        return state == null
                ? null
                : new Draft.Approval(
                        state.equals("rejected"),
                        row.textOrNull("approval_note"),
                        row.uuidOrNull("asked_by"),
                        row.instant("asked_at"),
                        new ReservedMessage(row.uuid("message_uuid"), row.text("message_name"), row.uuid("thread_id")),
                        DraftSpecifics.ofText(row.textOrNull("specifics")));
    }

    static Draft.Author author(Row row) {
        UUID key = row.uuidOrNull("author_key");
        // A row of a former revision names one key alone.
        return new Draft.Author(key, row.flag("key_approval"), new AuthorKeys(row.uuids("author_keys")).and(key));
    }

    /** Keeps who wrote a draft. */
    static void appendAuthor(RoundTrip trip, View all, Draft draft) {
        trip.change(
                all,
                "update draft d set author_key = :author, author_keys = :authors, key_approval = :approval"
                        + " where {d} and d.draft_id = :id",
                "id",
                draft.id(),
                "author",
                draft.author().key(),
                "authors",
                draft.author().keys().column(),
                "approval",
                draft.author().needsApproval());
    }

    /** Lets drafts in which a key wrote need approval, and returns where the next part of them begins. */
    static @Nullable String bind(Tx tx, View all, KeyWritings.Part part) {
        List<KeyWritings.ScannedRow> seenDrafts = tx.sql(all, """
                select o.draft_id::text as id,
                    (not o.key_approval and (o.author_key = :key or :key = any (o.author_keys))) as marks
                from draft o where {o} and o.draft_id > :after order by o.draft_id limit :most""")
                .bind("key", part.key())
                .bind("after", part.afterId())
                .bind("most", part.most())
                .list(KeyWritings.ScannedRow::read);
        List<String> marked = KeyWritings.ScannedRow.marked(seenDrafts);
        if (!marked.isEmpty()) {
            tx.sql(all, "update draft d set key_approval = true where {d} and d.draft_id = any (:ids)")
                    .bind("ids", marked.stream().map(UUID::fromString).toArray(UUID[]::new))
                    .run();
        }
        return part.next(seenDrafts);
    }

    /**
     * A draft that begins to wait.
     *
     * @param labels those that its message will carry
     */
    record WaitingDraft(UUID id, List<String> labels, Draft.Approval approval) {}

    /**
     * Lets a draft wait. Its specifics stay when it has some.
     */
    static void appendWaiting(RoundTrip trip, View all, WaitingDraft draft) {
        Draft.Approval approval = draft.approval();
        DraftSpecifics specifics = approval.specifics();
        trip.change(
                all,
                """
                update draft d
                set send_status = 'awaiting_approval', approval = 'awaiting', approval_note = null, asked_by = :asker,
                    asked_at = :now, message_uuid = :uuid, message_name = :name, thread_id = :thread,
                    specifics = coalesce(:specifics, d.specifics), labels = :labels, send_at = null, send_error = null,
                    due_at = null, claimed_by = null, attempts = 0, updated_at = :now
                where {d} and d.draft_id = :id""",
                "id",
                draft.id(),
                "asker",
                approval.askedBy(),
                "now",
                approval.askedAt(),
                "uuid",
                approval.reserved().id(),
                "name",
                approval.reserved().name(),
                "thread",
                approval.reserved().thread(),
                "specifics",
                specifics == null ? null : specifics.text(),
                "labels",
                draft.labels());
    }

    /** A draft that is rejected, and why. */
    record Rejection(UUID draft, @Nullable String note, Instant at) {}

    /** Ends the wait of a draft, which is its author's again. */
    static void reject(Tx tx, View all, Rejection rejection) {
        String note = rejection.note;
        tx.sql(all, """
                update draft d set send_status = 'failed', approval = 'rejected', approval_note = :note,
                                   send_error = :error, updated_at = :now
                where {d} and d.draft_id = :id""")
                .bind("id", rejection.draft)
                .bind("note", note)
                .bind("error", note == null ? "Rejected" : "Rejected: " + note)
                .bind("now", rejection.at)
                .run();
    }

    /** Whether a public id is promised to another draft of an inbox. */
    static boolean isPromised(Tx tx, View inbox, String name, UUID except) {
        return tx.sql(
                        inbox,
                        "select 1 as one from draft d where {d} and d.message_name = :name"
                                + " and d.draft_id <> :except limit 1")
                .bind("name", name)
                .bind("except", except)
                .exists();
    }
}
