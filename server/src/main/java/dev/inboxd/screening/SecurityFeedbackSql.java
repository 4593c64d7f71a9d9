package dev.inboxd.screening;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.UUID;

/** The rows of opinions on verdicts; they are deleted with their message. */
final class SecurityFeedbackSql {
    private SecurityFeedbackSql() {}

    static int count(Tx tx, View all, UUID message) {
        return tx.sql(all, "select count(*) as n from security_feedback f where {f} and f.message_id = :message")
                .bind("message", message)
                .single(row -> row.integer("n"));
    }

    static void insert(Tx tx, View all, UUID message, SecurityFeedback.Entry entry) {
        tx.sql(all, """
                insert into security_feedback (organization_id, message_id, feedback_id, feedback, notes, created_at)
                values ({organization}, :message, :id, :feedback, :notes, :at)""")
                .bind("message", message)
                .bind("id", entry.id())
                .bind("feedback", entry.opinion().wireName())
                .bind("notes", entry.notes())
                .bind("at", entry.createdAt())
                .run();
    }
}
