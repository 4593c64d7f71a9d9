package dev.inboxd.mailbox.claim;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** SQL on claims. */
final class ClaimSql {
    private static final String SELECT = """
            select c.claim_id, c.inbox_id, i.address as inbox_name, c.thread_id, c.message_name, c.worker, c.holder_id,
                   c.holder, c.bound, c.held, c.created_at, c.expires_at
            from thread_claim c join inbox i on i.organization_id = {organization} and i.inbox_id = c.inbox_id
            where c.organization_id = {organization}""";
    private static final RowStatement<String> END = RowStatement.of(
            "update thread_claim c set held = false from {rows} as r where {c} and c.claim_id = r.claim_id",
            RowStatement.text("claim_id", id -> id));

    private ClaimSql() {}

    /**
     * What a path names.
     *
     * @param place with the public id of a message; without one it is the thread itself
     * @param at the time of the message that an answer is to; null for a thread that has received none
     */
    record ClaimTarget(ThreadClaim.Place place, @Nullable Instant at) {
        static ClaimTarget read(Row row) {
            return new ClaimTarget(
                    new ThreadClaim.Place(
                            row.uuid("inbox_id"),
                            row.text("inbox_name"),
                            row.uuid("thread_id"),
                            row.textOrNull("name")),
                    row.instantOrNull("at"));
        }
    }

    static Optional<ClaimTarget> ofMessage(Tx tx, View view, String name) {
        return tx.sql(view, """
                select m.inbox_id, i.address as inbox_name, m.thread_id, m.name, m.created_at as at from message m
                join inbox i on i.organization_id = {organization} and i.inbox_id = m.inbox_id and not i.deleting
                where {m visible} and m.name = :name""").bind("name", name).first(ClaimTarget::read);
    }

    static Optional<ClaimTarget> ofThread(Tx tx, View view, UUID thread) {
        return tx.sql(view, """
                select t.inbox_id, i.address as inbox_name, t.thread_id, null::text as name,
                       (select max(m.created_at) from message m where m.organization_id = {organization}
                        and m.thread_id = t.thread_id and not m.outgoing) as at
                from thread t
                join inbox i on i.organization_id = {organization} and i.inbox_id = t.inbox_id and not i.deleting
                where {t visible} and t.thread_id = :thread""").bind("thread", thread).first(ClaimTarget::read);
    }

    /** The claim of a thread that has not ended before its time; it may be over all the same. */
    static Optional<ThreadClaim> held(Tx tx, View all, UUID thread) {
        return tx.sql(all, SELECT + " and c.thread_id = :thread and c.held")
                .bind("thread", thread)
                .first(ClaimSql::read);
    }

    /** The claim of a thread that binds now. */
    static Optional<ThreadClaim> live(Tx tx, View all, UUID thread) {
        return tx.sql(all, SELECT + " and c.thread_id = :thread and c.held and c.expires_at > {now}")
                .bind("thread", thread)
                .first(ClaimSql::read);
    }

    static Optional<ThreadClaim> find(Tx tx, View all, UUID inbox, String id) {
        return tx.sql(all, SELECT + " and c.claim_id = :id and c.inbox_id = :inbox")
                .bind("id", id)
                .bind("inbox", inbox)
                .first(ClaimSql::read);
    }

    /** How many claims of an inbox bind at a time. */
    static int countLive(Tx tx, View all, UUID inbox, Instant now) {
        return tx.sql(
                        all,
                        "select count(*) as n from thread_claim c where c.organization_id = {organization}"
                                + " and c.inbox_id = :inbox and c.expires_at > :now and c.held")
                .bind("inbox", inbox)
                .bind("now", now)
                .single(row -> row.integer("n"));
    }

    /** Whether a key is good for an inbox. */
    static boolean sees(Tx tx, View all, UUID key, UUID inbox) {
        return tx.sql(all, """
                select 1 as one from api_key k
                join inbox i on i.organization_id = {organization} and i.inbox_id = :inbox
                where k.organization_id = {organization} and k.api_key_id = :key
                  and (k.inbox_id is null or k.inbox_id = i.inbox_id) and (k.pod_id is null or k.pod_id = i.pod_id)
                  and (k.expires_at is null or k.expires_at > {now})""").bind("key", key).bind("inbox", inbox).exists();
    }

    static void insert(Tx tx, View all, ThreadClaim claim) {
        tx.sql(all, """
                insert into thread_claim (organization_id, claim_id, inbox_id, thread_id, message_name, worker,
                                          holder_id, holder, bound, held, created_at, expires_at)
                values ({organization}, :id, :inbox, :thread, :message, :worker, :holder, :kind, :bound, true,
                        :created, :expires)""")
                .bind("id", claim.id())
                .bind("inbox", claim.place().inbox())
                .bind("thread", claim.place().thread())
                .bind("message", claim.place().message())
                .bind("worker", claim.holder().worker())
                .bind("holder", claim.holder().id())
                .bind("kind", claim.holder().kind().wireName())
                .bind("bound", claim.holder().isBound())
                .bind("created", claim.createdAt())
                .bind("expires", claim.expiresAt())
                .run();
    }

    static void prolong(Tx tx, View all, String id, Instant end) {
        tx.sql(
                        all,
                        "update thread_claim c set expires_at = :end where c.organization_id = {organization}"
                                + " and c.claim_id = :id")
                .bind("end", end)
                .bind("id", id)
                .run();
    }

    static void end(Tx tx, View all, String id) {
        RoundTrip trip = tx.roundTrip();
        appendEnd(trip, all, List.of(id));
        trip.run();
    }

    static void appendEnd(RoundTrip trip, View all, List<String> ids) {
        trip.change(all, END, ids);
    }

    static ThreadClaim read(Row row) {
        return new ThreadClaim(
                row.text("claim_id"),
                new ThreadClaim.Place(
                        row.uuid("inbox_id"),
                        row.text("inbox_name"),
                        row.uuid("thread_id"),
                        row.textOrNull("message_name")),
                new ThreadClaim.Holder(
                        row.textOrNull("worker"),
                        row.uuid("holder_id"),
                        ThreadClaim.Kind.ofWire(row.text("holder")),
                        row.flag("bound")),
                row.flag("held"),
                row.instant("created_at"),
                row.instant("expires_at"));
    }
}
