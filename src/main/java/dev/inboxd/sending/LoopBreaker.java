package dev.inboxd.sending;

import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Stops an agent that answers machines, and two agents that answer one another (promises.md A6). A thread is looked at
 * when something is about to be sent into it, in the transaction that would store it.
 *
 * @param perHour messages that an inbox sends into one thread in an hour
 * @param toMachines messages in a thread, one after another, to which nothing but machines answers
 */
public record LoopBreaker(int perHour, int toMachines) {
    private static final int ANY = Integer.MAX_VALUE;

    /** Stops nobody. */
    public static final LoopBreaker NONE = new LoopBreaker(ANY, ANY);

    /** A thread of a day is looked at no further back than this. */
    private static final int MOST = 500;

    /**
     * What hidden mail there is makes no difference (promise P11). Sent since a person wrote, if a machine has written
     * since.
     */
    private static final RowStatement<UUID> LOOK = RowStatement.of("""
            select {tenant}r.thread_id, s.hour, s.unheard, s.machine
            from {rows} as r
            cross join lateral (
            with t as (
                select m.outgoing, m.created_at, :machine = any(m.labels) as machine from message m
                where {m} and m.thread_id = r.thread_id and m.restricted = 0
                  and m.created_at > {now} - interval '1 day'
                order by m.created_at desc limit :most),
            p as (select max(t.created_at) as at from t where not t.outgoing and not t.machine),
            u as (select t.* from t, p where p.at is null or t.created_at > p.at)
            select (select count(*) from t where t.outgoing and t.created_at > {now} - interval '1 hour')::int8 as hour,
                   (select count(*) from u where u.outgoing)::int8 as unheard,
                   exists (select 1 from u where u.machine and not u.outgoing) as machine) as s""", RowStatement.uuid("thread_id", id -> id));

    private record Seen(UUID thread, long hour, long unheard, boolean machine) {}

    /** What is known of the threads of one transaction. */
    final class ThreadActivity {
        private final Map<UUID, RoundTrip.Result<Seen>> looked = new HashMap<>();

        /** Adds the look-up of threads that something may be sent into, as far as they were not looked up. */
        void prefetch(RoundTrip trip, View all, Collection<UUID> threads) {
            Set<UUID> fresh = new LinkedHashSet<>(threads);
            fresh.removeAll(looked.keySet());
            if (LoopBreaker.this.equals(NONE) || fresh.isEmpty()) {
                return;
            }
            RoundTrip.Result<Seen> pending = trip.query(
                    all,
                    LOOK,
                    List.copyOf(fresh),
                    row -> new Seen(
                            row.uuid("thread_id"), row.longer("hour"), row.longer("unheard"), row.flag("machine")),
                    "machine",
                    Labels.AUTO_REPLY,
                    "most",
                    MOST);
            fresh.forEach(thread -> looked.put(thread, pending));
        }

        /** Whether one of these was not looked up. */
        boolean misses(Collection<UUID> threads) {
            return !LoopBreaker.this.equals(NONE) && !looked.keySet().containsAll(threads);
        }

        /**
         * Refuses one message too many; after the round trip.
         *
         * @param thread that a message is about to be sent into, which was looked up
         * @throws Problem {@code message_rejected}
         */
        void check(UUID thread) {
            if (!LoopBreaker.this.equals(NONE)) {
                LoopBreaker.this.check(Objects.requireNonNull(looked.get(thread)).rows().stream()
                        .filter(seen -> seen.thread.equals(thread))
                        .findFirst()
                        .orElseThrow());
            }
        }
    }

    /** For one transaction. */
    ThreadActivity watch() {
        return new ThreadActivity();
    }

    private void check(Seen seen) {
        if (seen.machine && seen.unheard >= toMachines) {
            throw stopped(
                    "only machines have answered the last " + seen.unheard + " messages of this thread",
                    "Wait for a person to answer, or write outside of the thread. If a person did answer, remove the"
                            + " label " + Labels.AUTO_REPLY + " from that message.");
        }
        if (seen.hour >= perHour) {
            throw stopped(
                    "the inbox has sent " + seen.hour + " messages into this thread within an hour",
                    "Two machines may be answering each other. Wait, or have a person look at the thread.");
        }
    }

    private static Problem stopped(String why, String fix) {
        return Problem.of(ErrorCode.MESSAGE_REJECTED, "Message rejected: " + why, fix);
    }
}
