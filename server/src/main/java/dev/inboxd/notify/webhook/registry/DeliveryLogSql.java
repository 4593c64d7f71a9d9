package dev.inboxd.notify.webhook.registry;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the delivery log, and inserts redeliveries. */
final class DeliveryLogSql {
    /** Limit of attempts shown of one delivery: redelivery by hand can add attempts without end. */
    static final int MOST_ATTEMPTS = 1_000;

    private DeliveryLogSql() {}

    /** One attempt and the sequence number of its event. */
    record LoggedAttempt(long seq, DeliveryLog.Attempt attempt) {}

    /** An event and the state of its delivery. */
    record State(
            long seq, String type, Instant at, @Nullable Instant due, boolean givenUp) {}

    /**
     * The sequence numbers of a page of the log: events with attempts, and events that wait for their first attempt.
     */
    static List<Long> events(Tx tx, View all, String webhook, @Nullable Long after, PageRequest page) {
        String order = page.ascending() ? "asc" : "desc";
        String behind = page.ascending() ? ">" : "<";
        return tx.sql(all, """
                select x.seq from (
                    (select a.seq from delivery_attempt a
                     where {a} and a.webhook_id = :webhook and (:after::bigint is null or a.seq BEHIND :after)
                     group by a.seq order by a.seq ORDER limit :limit)
                    union
                    (select d.seq from delivery d
                     where {d} and d.webhook_id = :webhook and (:after::bigint is null or d.seq BEHIND :after)
                     order by d.seq ORDER limit :limit)) as x
                order by x.seq ORDER limit :limit""".replace("ORDER", order).replace("BEHIND", behind))
                .bind("webhook", webhook)
                .bind("after", after)
                .bind("limit", page.fetch())
                .list(row -> row.longer("seq"));
    }

    /** How many attempts each of these events has. */
    static Map<Long, Long> attemptCounts(Tx tx, View all, String webhook, List<Long> seqs) {
        Map<Long, Long> counts = new HashMap<>();
        tx.sql(
                        all,
                        "select a.seq, count(*) as attempts from delivery_attempt a where {a}"
                                + " and a.webhook_id = :webhook and a.seq = any (:seqs) group by a.seq")
                .bind("webhook", webhook)
                .bind("seqs", seqs.toArray(Long[]::new))
                .list(row -> counts.put(row.longer("seq"), row.longer("attempts")));
        return counts;
    }

    static List<LoggedAttempt> attempts(Tx tx, View all, String webhook, List<Long> seqs) {
        return tx.sql(
                        all,
                        "select a.seq, a.at, a.attempt, a.status, a.error, a.millis, a.answer"
                                + " from delivery_attempt a"
                                + " where {a} and a.webhook_id = :webhook and a.seq = any (:seqs)"
                                + " order by a.seq, a.at limit " + 2 * MOST_ATTEMPTS)
                .bind("webhook", webhook)
                .bind("seqs", seqs.toArray(Long[]::new))
                .list(row -> new LoggedAttempt(row.longer("seq"), DeliveryLog.Attempt.read(row)));
    }

    static List<State> states(Tx tx, View all, String webhook, List<Long> seqs) {
        return tx.sql(all, """
                select e.seq, e.type, e.at, d.due_at, d.failed_at is not null as given_up
                from event e left join delivery d on d.organization_id = e.organization_id and d.seq = e.seq
                                                 and d.webhook_id = :webhook
                where {e} and e.seq = any (:seqs)""")
                .bind("webhook", webhook)
                .bind("seqs", seqs.toArray(Long[]::new))
                .list(row -> new State(
                        row.longer("seq"),
                        row.text("type"),
                        row.instant("at"),
                        row.instantOrNull("due_at"),
                        row.flag("given_up")));
    }

    /** Whether the log has this event and its payload can still be rendered. */
    static boolean isThere(Tx tx, View all, String webhook, long seq) {
        return tx.sql(all, """
                select 1 as one from event e where {e} and e.seq = :seq
                  and (exists (select 1 from delivery_attempt a where a.organization_id = {organization}
                                 and a.webhook_id = :webhook and a.seq = e.seq)
                       or exists (select 1 from delivery d where d.organization_id = {organization}
                                 and d.webhook_id = :webhook and d.seq = e.seq))
                  and (e.details is not null or e.type like 'message.received%' and exists (
                      select 1 from message m where m.organization_id = {organization}
                        and m.message_id = e.message_id))""").bind("webhook", webhook).bind("seq", seq).exists();
    }

    /**
     * Inserts the delivery of an event again, or resets it to its first attempt. One that is claimed now is marked by a
     * negative number of attempts: its result does not end it, and it is due behind that (ruling 144).
     */
    static void redeliver(Tx tx, View all, String webhook, long seq, Instant now) {
        tx.sql(all, """
                insert into delivery as d (organization_id, seq, webhook_id, due_at, message_id, created_at)
                select e.organization_id, e.seq, :webhook, {now}, e.message_id, :now from event e
                where {e} and e.seq = :seq
                on conflict (organization_id, seq, webhook_id) do update
                set due_at = case when d.claimed_by is null then excluded.due_at else d.due_at end,
                    attempts = case when d.claimed_by is null then 0 else -1 end,
                    failed_at = null, created_at = excluded.created_at""")
                .bind("webhook", webhook)
                .bind("seq", seq)
                .bind("now", now)
                .run();
    }
}
