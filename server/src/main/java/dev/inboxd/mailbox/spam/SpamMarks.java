package dev.inboxd.mailbox.spam;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Marks: whether clients called a received message spam, by adding or removing the label {@code spam}. */
public final class SpamMarks {
    private static final RowStatement<UUID> MARK = RowStatement.of(
            "insert into spam_mark as s (organization_id, message_id, spam)"
                    + " select {organization}, r.message_id, :spam from {rows} as r"
                    + " on conflict (organization_id, message_id) do update set spam = excluded.spam",
            RowStatement.uuid("message_id", id -> id));

    private static final RowStatement<UUID> LEARNED = RowStatement.of(
            "insert into spam_mark as s (organization_id, message_id, spam, learned)"
                    + " select m.organization_id, m.message_id, :spam, :spam from {rows} as r"
                    + " join message m on {m} and m.message_id = r.message_id"
                    + " on conflict (organization_id, message_id) do update set learned = excluded.learned",
            RowStatement.uuid("message_id", id -> id));

    private static final String CLEAN_BEFORE = """
            select m.message_id from message m
            where {m} and m.message_id < :before and not m.outgoing and m.restricted = 0
              and not exists (select from spam_mark s where {s} and s.message_id = m.message_id)
            order by m.message_id desc limit :most""";

    private SpamMarks() {}

    /**
     * A mark that the model has not learned yet.
     *
     * @param spam the class that the client gave to the message
     * @param learned the class with which the model learned the message before, or null
     */
    record DueMark(UUID message, boolean spam, @Nullable Boolean learned) {}

    /** Adds the marks of received messages to the round trip that writes their labels. */
    public static void appendMarks(RoundTrip trip, View all, List<UUID> messages, boolean spam) {
        trip.change(all, MARK, messages, "spam", spam);
    }

    /** Now, when an organization has marks that its model has not learned. */
    static final String NEXT = "select {now} from spam_mark s where s.organization_id = {organization}"
            + " and s.learned is distinct from s.spam limit 1";

    static List<DueMark> due(Tx tx, View all, int most) {
        return tx.sql(
                        all,
                        "select s.message_id, s.spam, coalesce(s.learned::integer, -1) as learned from spam_mark s"
                                + " where {s} and s.learned is distinct from s.spam limit :most")
                .bind("most", most)
                .list(row -> new DueMark(
                        row.uuid("message_id"),
                        row.flag("spam"),
                        row.integer("learned") < 0 ? null : row.integer("learned") > 0));
    }

    /**
     * Clean messages received before a marked one. The client that marked that one had seen these and left them
     * unmarked.
     */
    static List<UUID> cleanBefore(Tx tx, View all, UUID message, int most) {
        return tx.sql(all, CLEAN_BEFORE)
                .bind("before", message)
                .bind("most", most)
                .list(row -> row.uuid("message_id"));
    }

    static void appendLearned(RoundTrip trip, View all, List<UUID> messages, boolean spam) {
        trip.change(all, LEARNED, messages, "spam", spam);
    }

    /** Adds the removal of the marks of deleted messages. */
    static void appendDelete(RoundTrip trip, View all, List<UUID> messages) {
        trip.change(
                all,
                "delete from spam_mark s where {s} and s.message_id = any (:ids)",
                "ids",
                messages.toArray(UUID[]::new));
    }
}
