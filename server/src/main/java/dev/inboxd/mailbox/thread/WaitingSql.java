package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Counts who waits in threads from their messages, by the index of the messages of a thread. */
public final class WaitingSql {
    /** Whether all threads of the organization are counted, also those that nodes of the version before changed. */
    private static final String COUNTED = """
            (select k.waiting_seq = k.event_seq and k.waiting_thread is null
             from organization_clock k where k.organization_id = {organization})""";

    /** The columns of a thread with the alias {@code t} for whoever is shown it; null where they may be wrong. */
    static final String SHOWN = ", case when " + COUNTED + " then t.waiting end as waiting, t.waiting_since";

    /** The condition of the lists of threads in which a side waits; with the words of the partial indexes. */
    static final String LISTED = " and t.waiting = :waiting and t.waiting_since is not null";

    private static final String COUNTS = """
            m.organization_id = {organization} and m.thread_id = w.thread_id and m.restricted = 0
            and not m.labels && array['auto-reply', 'rejected'] and m.unreached is not true""";

    /** The newest message that counts; if it was received, the last sent one, and the oldest behind that. */
    private static final String COUNT = """
            select w.thread_id,
                   case when n.outgoing then 2 when o.created_at is not null then 1
                        when n.created_at is not null then 3 else 0 end as waiting,
                   case when n.outgoing then n.created_at else o.created_at end as waiting_since
            from unnest(:threads::uuid[]) as w (thread_id)
            left join lateral (
                select m.outgoing, m.created_at from message m where COUNTS
                order by m.created_at desc limit 1) n on true
            left join lateral (
                select m.created_at from message m where not n.outgoing and m.outgoing and COUNTS
                order by m.created_at desc limit 1) s on true
            left join lateral (
                select m.created_at from message m
                where not n.outgoing and not m.outgoing and not m.labels @> array['settled']
                  and m.created_at > coalesce(s.created_at, '-infinity'::timestamptz) and COUNTS
                order by m.created_at limit 1) o on true""".replace("COUNTS", COUNTS);

    private static final String RECOUNT = "update thread t set waiting = c.waiting, waiting_since = c.waiting_since"
            + " from (" + COUNT + ") c where {t} and t.thread_id = c.thread_id"
            + " and (t.waiting is distinct from c.waiting or t.waiting_since is distinct from c.waiting_since)";

    private static final String SENT = """
             from submission s join submission_recipient r
                  on r.organization_id = {organization} and r.submission_id = s.submission_id
            where s.organization_id = {organization} and s.message_id = m.message_id""";

    private static final String UNREACHED =
            "update message m set unreached = true where {m} and m.message_id = :message"
                    + " and m.outgoing and m.unreached is not true and exists (select 1" + SENT + ")"
                    + " and not exists (select 1" + SENT + " and r.state <> 'bounced')";

    /** What became of mail is known for thirty days; of older mail, whether any recipient took it. */
    private static final String UNREACHED_BEFORE = "update message m set unreached = true"
            + " where {m} and m.thread_id = any (:threads) and m.outgoing and m.unreached is not true"
            + " and m.labels @> array['bounced'] and case when exists (select 1" + SENT + ")"
            + " then not exists (select 1" + SENT + " and r.state <> 'bounced')"
            + " else not m.labels @> array['delivered'] end";

    private WaitingSql() {}

    /**
     * Adds the recount of some threads, after the changes of their messages and of their rows.
     *
     * @param all the whole organization, whose clock the transaction has
     */
    public static void appendRecount(RoundTrip trip, View all, Collection<UUID> threads) {
        if (!threads.isEmpty()) {
            trip.change(all, RECOUNT, "threads", threads.toArray(UUID[]::new));
        }
    }

    /** Recounts some threads. */
    public static void recount(Tx tx, View all, Collection<UUID> threads) {
        if (!threads.isEmpty()) {
            tx.sql(all, RECOUNT).bind("threads", threads.toArray(UUID[]::new)).run();
        }
    }

    /** Notes that a sent message reached nobody, if all its recipients bounced, and recounts its thread. */
    public static void returned(Tx tx, View all, UUID message, UUID thread) {
        tx.sql(all, UNREACHED).bind("message", message).run();
        recount(tx, all, List.of(thread));
    }

    /** Recounts threads whose changes nodes of the version before have written, with what came back of their mail. */
    static void recountAnew(Tx tx, View all, Collection<UUID> threads) {
        if (!threads.isEmpty()) {
            tx.sql(all, UNREACHED_BEFORE)
                    .bind("threads", threads.toArray(UUID[]::new))
                    .run();
            recount(tx, all, threads);
        }
    }

    /** Who waits in threads, as their messages say it; read only. */
    static Map<UUID, ThreadWait> count(Tx tx, View all, Collection<UUID> threads) {
        Map<UUID, ThreadWait> waits = new HashMap<>();
        tx.sql(all, COUNT)
                .bind("threads", threads.toArray(UUID[]::new))
                .list(row -> waits.put(row.uuid("thread_id"), ThreadWait.read(row)));
        return waits;
    }
}
