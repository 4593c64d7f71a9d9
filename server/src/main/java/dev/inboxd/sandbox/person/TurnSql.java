package dev.inboxd.sandbox.person;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which step each mail to somebody meets, however often it is tried. */
final class TurnSql {
    private TurnSql() {}

    /**
     * A recipient of a mail that was queued.
     *
     * @param position among the recipients of the submission
     */
    record Delivery(UUID submission, int position) {}

    /**
     * The step that a mail meets.
     *
     * @param step as JSON
     * @param accepted whether it was taken, and what follows is due
     */
    record Turn(String step, boolean accepted) {}

    /**
     * Of which conversation a mail is.
     *
     * @param rule null for the people below sandbox.test
     */
    record Conversation(@Nullable UUID rule, UUID thread, String recipient) {}

    static Optional<Turn> find(Tx tx, View all, Delivery delivery) {
        return tx.sql(all, """
                select t.step, t.taken from sandbox_turn t
                where t.organization_id = {organization} and t.submission_id = :submission
                  and t.position = :position""")
                .bind("submission", delivery.submission)
                .bind("position", delivery.position)
                .first(row -> new Turn(row.text("step"), row.flag("taken")));
    }

    /** How many mails of a conversation there were. */
    static int count(Tx tx, View all, Conversation conversation) {
        return tx.sql(all, """
                select count(*) as n from sandbox_turn t
                where t.organization_id = {organization} and t.rule_id = :rule and t.thread_id = :thread
                  and t.recipient = :recipient""")
                .bind("rule", conversation.rule)
                .bind("thread", conversation.thread)
                .bind("recipient", conversation.recipient)
                .single(row -> row.integer("n"));
    }

    static void insert(Tx tx, View all, Delivery delivery, NewTurn turn) {
        tx.sql(all, """
                insert into sandbox_turn (organization_id, submission_id, position, rule_id, thread_id, recipient, step,
                                          taken, created_at)
                values ({organization}, :submission, :position, :rule, :thread, :recipient, :step, false, :at)""")
                .bind("submission", delivery.submission)
                .bind("position", delivery.position)
                .bind("rule", turn.of.rule)
                .bind("thread", turn.of.thread)
                .bind("recipient", turn.of.recipient)
                .bind("step", turn.step)
                .bind("at", turn.at)
                .run();
    }

    /** A turn that begins. */
    record NewTurn(Conversation of, String step, Instant at) {}

    static void take(Tx tx, View all, Delivery delivery) {
        tx.sql(
                        all,
                        "update sandbox_turn t set taken = true where t.organization_id = {organization}"
                                + " and t.submission_id = :submission and t.position = :position")
                .bind("submission", delivery.submission)
                .bind("position", delivery.position)
                .run();
    }
}
