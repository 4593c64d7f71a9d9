package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Which message a draft became, found from either side (mail.md §8.7). */
public final class SentDrafts {
    /**
     * The draft that a message was.
     *
     * @param message the internal id of the message
     */
    record SentDraft(UUID message, UUID draft) {}

    /**
     * A draft whose message is stored by the same transaction.
     *
     * @param name the public id of the message
     */
    public record NewSentDraft(UUID draft, UUID inbox, String name) {}

    private static final RowStatement<UUID> OF_MESSAGES = RowStatement.of(
            "select {tenant}s.message_id, s.draft_id from {rows} as r"
                    + " join sent_draft s on {s} and s.message_id = r.message_id",
            RowStatement.uuid("message_id", id -> id));

    private static final RowStatement<NewSentDraft> INSERT = RowStatement.of(
            """
            insert into sent_draft (organization_id, draft_id, message_id)
            select m.organization_id, r.draft_id, m.message_id
            from {rows} as r join message m on {m} and m.inbox_id = r.inbox_id and m.name = r.name""",
            RowStatement.uuid("draft_id", NewSentDraft::draft),
            RowStatement.uuid("inbox_id", NewSentDraft::inbox),
            RowStatement.text("name", NewSentDraft::name));

    private SentDrafts() {}

    /** Looks up the drafts of some messages; the result has a row for each message that was one. */
    static RoundTrip.Result<SentDraft> prefetch(RoundTrip trip, View view, List<UUID> messages) {
        View all = View.of(view.organization()); // the messages were found through the view
        return trip.query(
                all, OF_MESSAGES, messages, row -> new SentDraft(row.uuid("message_id"), row.uuid("draft_id")));
    }

    /** Adds the row of a draft that is sent, behind the insert of its message. */
    public static void appendInsert(RoundTrip writes, View all, NewSentDraft sent) {
        writes.joinChange(all, INSERT, List.of(sent));
    }

    /** The public id of the message that a draft became, if the view shows it. */
    public static Optional<String> messageOf(Tx tx, View view, UUID draft) {
        String query = """
                select m.name from sent_draft s
                join message m on m.organization_id = s.organization_id and m.message_id = s.message_id
                join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id and not i.deleting
                where {m visible} and s.organization_id = {organization} and s.draft_id = :draft""";
        return tx.sql(view, query).bind("draft", draft).first(row -> row.text("name"));
    }
}
