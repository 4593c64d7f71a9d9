package dev.inboxd.send;

import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.label.Labels;
import java.util.UUID;

/**
 * Stops an agent that answers machines, and two agents that answer one another (promises.md A6). A thread is looked at
 * when something is about to be sent into it, in the transaction that would store it.
 *
 * @param perHour messages that an inbox sends into one thread in an hour
 * @param toMachines messages in a thread, one after another, to which nothing but machines answers
 */
public record Breaker(int perHour, int toMachines) {
    private static final int ANY = Integer.MAX_VALUE;

    /** Stops nobody. */
    public static final Breaker NONE = new Breaker(ANY, ANY);

    /** A thread of a day is looked at no further back than this. */
    private static final int MOST = 500;

    /**
     * What hidden mail there is makes no difference (promise P11). Sent since a person wrote, if a machine has written
     * since.
     */
    private static final String LOOK = """
            with t as (
                select m.outgoing, m.created_at, :machine = any(m.labels) as machine from message m
                where {m} and m.thread_id = :thread and m.restricted = 0
                  and m.created_at > {now} - interval '1 day'
                order by m.created_at desc limit :most),
            p as (select max(t.created_at) as at from t where not t.outgoing and not t.machine),
            u as (select t.* from t, p where p.at is null or t.created_at > p.at)
            select (select count(*) from t where t.outgoing and t.created_at > {now} - interval '1 hour')::int8 as hour,
                   (select count(*) from u where u.outgoing)::int8 as unheard,
                   exists (select 1 from u where u.machine and not u.outgoing) as machine""";

    private record Seen(long hour, long unheard, boolean machine) {}

    /**
     * Refuses one message too many.
     *
     * @param thread that a message is about to be sent into
     * @throws Problem {@code message_rejected}
     */
    void check(Tx tx, View all, UUID thread) {
        if (equals(NONE)) {
            return;
        }
        Seen seen = tx.sql(all, LOOK).bind("machine", Labels.AUTO_REPLY).bind("thread", thread)
                .bind("most", MOST)
                .one(row -> new Seen(row.longer("hour"), row.longer("unheard"), row.flag("machine")));
        if (seen.machine && seen.unheard >= toMachines) {
            throw stopped("only machines have answered the last " + seen.unheard + " messages of this thread",
                    "Wait for a person to answer, or write outside of the thread. If a person did answer, remove the"
                    + " label " + Labels.AUTO_REPLY + " from that message.");
        }
        if (seen.hour >= perHour) {
            throw stopped("the inbox has sent " + seen.hour + " messages into this thread within an hour",
                    "Two machines may be answering each other. Wait, or have a person look at the thread.");
        }
    }

    private static Problem stopped(String why, String fix) {
        return Problem.of(Code.MESSAGE_REJECTED, "Message rejected: " + why, fix);
    }
}
