package dev.inboxd.sandbox.person;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What people are going to do. */
final class ReactionSql {
    /** When somebody of an organization does something next. */
    static final String NEXT = "select a.due_at from sandbox_reaction a where a.organization_id = {organization}"
            + " order by a.due_at limit 1";

    private static final String CLAIM = """
            update sandbox_reaction a
            set due_at = {now} + make_interval(secs => :lease), attempts = a.attempts + 1
            where a.organization_id = {organization} and a.reaction_id in (
                select d.reaction_id from sandbox_reaction d
                where d.organization_id = {organization} and d.due_at <= {now}
                order by d.due_at, d.reaction_id limit :most)
            returning a.reaction_id, a.reaction, a.at, a.submission_id, a.message_id, a.recipient, a.return_path,
                      a.attempts""";

    private static final Duration LEASE = Duration.ofMinutes(1);

    private ReactionSql() {}

    /**
     * Something that somebody is going to do.
     *
     * @param reaction as JSON
     * @param at when
     * @param recipient who does it
     * @param returnPath where reports on the mail go; null for mail that must not bounce
     * @param attempts how often it was begun
     */
    record PendingReaction(
            UUID id,
            String reaction,
            Instant at,
            Mail mail,
            String recipient,
            @Nullable String returnPath,
            int attempts) {}

    /**
     * The mail that it is about.
     *
     * @param message null for mail of the service itself
     */
    record Mail(UUID submission, @Nullable UUID message) {}

    static void insert(Tx tx, View all, PendingReaction reaction) {
        tx.sql(all, """
                insert into sandbox_reaction (organization_id, reaction_id, due_at, at, reaction, submission_id,
                                              message_id, recipient, return_path, attempts)
                values ({organization}, :id, :at, :at, :reaction, :submission, :message, :recipient, :return, 0)""")
                .bind("id", reaction.id)
                .bind("at", reaction.at)
                .bind("reaction", reaction.reaction)
                .bind("submission", reaction.mail.submission)
                .bind("message", reaction.mail.message)
                .bind("recipient", reaction.recipient)
                .bind("return", reaction.returnPath)
                .run();
    }

    /** Claims what is due, the oldest first, for the time of a lease. */
    static List<PendingReaction> claim(Tx tx, View all, int most) {
        return tx.sql(all, CLAIM).bind("lease", LEASE.toSeconds()).bind("most", most).list(ReactionSql::read).stream()
                .sorted((first, second) -> first.at.compareTo(second.at))
                .toList();
    }

    static void delete(Tx tx, View all, UUID reaction) {
        tx.sql(
                        all,
                        "delete from sandbox_reaction a"
                                + " where a.organization_id = {organization} and a.reaction_id = :reaction")
                .bind("reaction", reaction)
                .run();
    }

    private static PendingReaction read(Row row) {
        return new PendingReaction(
                row.uuid("reaction_id"),
                row.text("reaction"),
                row.instant("at"),
                new Mail(row.uuid("submission_id"), row.uuidOrNull("message_id")),
                row.text("recipient"),
                row.textOrNull("return_path"),
                row.integer("attempts"));
    }
}
