package dev.inboxd.sending.limit;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mailbox.label.Labels;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Stops an agent that answers machines, and two agents that answer each other (promises.md A6). The thread is checked
 * in the transaction that would store a message in it.
 *
 * @param perHour limit of messages that an inbox sends into one thread in an hour
 * @param toMachines limit of consecutive messages in a thread to which only machines have replied
 */
public record LoopBreaker(int perHour, int toMachines) {
    private static final int ANY = Integer.MAX_VALUE;

    /** No limits. */
    public static final LoopBreaker NONE = new LoopBreaker(ANY, ANY);

    /** Limit of messages read per thread; messages older than a day are not read. */
    private static final int MOST = 500;

    private static final RowStatement.Column<UUID> THREAD_ID = RowStatement.uuid("thread_id", id -> id);
    /**
     * Counts messages per thread. Hidden mail does not change the result (promise P11). {@code unanswered} counts the
     * messages sent since a person last wrote; it matters if a machine has written since.
     */
    private static final RowStatement<UUID> COUNT_MESSAGES = RowStatement.of("""
            select {tenant}r.thread_id, s.hour, s.unanswered, s.machine
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
                   (select count(*) from u where u.outgoing)::int8 as unanswered,
                   exists (select 1 from u where u.machine and not u.outgoing) as machine) as s""", THREAD_ID);

    private record ActivityRow(UUID thread, long hour, long unanswered, boolean machine) {}

    /** The activity of the threads of one transaction. */
    public final class ThreadActivity {
        private final Map<UUID, RoundTrip.Result<ActivityRow>> lookedUp = new HashMap<>();

        /** Adds a query for those threads that were not looked up yet. */
        public void prefetch(RoundTrip trip, View all, Collection<UUID> threads) {
            Set<UUID> missing = new LinkedHashSet<>(threads);
            missing.removeAll(lookedUp.keySet());
            if (LoopBreaker.this.equals(NONE) || missing.isEmpty()) {
                return;
            }
            RoundTrip.Result<ActivityRow> pending = trip.query(
                    all,
                    COUNT_MESSAGES,
                    List.copyOf(missing),
                    row -> new ActivityRow(
                            row.uuid("thread_id"), row.longer("hour"), row.longer("unanswered"), row.flag("machine")),
                    "machine",
                    Labels.AUTO_REPLY,
                    "most",
                    MOST);
            missing.forEach(thread -> lookedUp.put(thread, pending));
        }

        /** Whether one of these threads was not looked up yet. */
        public boolean misses(Collection<UUID> threads) {
            return !LoopBreaker.this.equals(NONE) && !lookedUp.keySet().containsAll(threads);
        }

        /**
         * Rejects a message over the limits; called after the round trip.
         *
         * @param thread the thread of the message; it was looked up
         * @throws Problem {@code message_rejected}
         */
        public void check(UUID thread) {
            if (!LoopBreaker.this.equals(NONE)) {
                LoopBreaker.this.check(Objects.requireNonNull(lookedUp.get(thread)).rows().stream()
                        .filter(row -> row.thread.equals(thread))
                        .findFirst()
                        .orElseThrow());
            }
        }
    }

    /** The activity for one transaction. */
    public ThreadActivity watch() {
        return new ThreadActivity();
    }

    private void check(ActivityRow activity) {
        if (activity.machine && activity.unanswered >= toMachines) {
            throw stopped(
                    "only machines have answered the last " + activity.unanswered + " messages of this thread",
                    "Wait for a person to answer, or write outside of the thread. If a person did answer, remove the"
                            + " label " + Labels.AUTO_REPLY + " from that message.");
        }
        if (activity.hour >= perHour) {
            throw stopped(
                    "the inbox has sent " + activity.hour + " messages into this thread within an hour",
                    "Two machines may be answering each other. Wait, or have a person look at the thread.");
        }
    }

    private static Problem stopped(String why, String fix) {
        return Problem.of(ErrorCode.MESSAGE_REJECTED, "Message rejected: " + why, fix);
    }
}
