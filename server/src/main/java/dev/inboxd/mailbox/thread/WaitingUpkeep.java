package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.base.log.LogLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts who waits in threads that nodes of the version before wrote, which knows nothing of it (decision 0086). The
 * clock's row of an organization has how far it is true: {@code waiting_seq} goes on with {@code event_seq} as long as
 * only nodes of this version write, so that a difference shows what another one wrote; the threads of the events in
 * between are counted anew. Before that, all threads are counted once, in the order of their ids up to
 * {@code waiting_thread}. Each step is a transaction of some milliseconds under the clock; any node goes on with the
 * next.
 */
public final class WaitingUpkeep {
    /** Of the work; the migration that made the columns wrote a row of it for each organization. */
    private static final String KIND = "waiting";

    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final int AT_ONCE = 2;
    /** How long a request counts; an organization of some ten thousand threads takes longer, once. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final long LOGGED = Duration.ofSeconds(10).toNanos();
    private static final int EVENTS = 500;
    private static final int THREADS = 500;
    /** Messages of the threads of a step, unless it is one thread. */
    private static final int MESSAGES = 20_000;

    private static final UUID FIRST = new UUID(0, 0);

    private static final String NEXT = "select {now} from organization_clock c where c.organization_id = {organization}"
            + " and (c.waiting_seq is null or c.waiting_seq <> c.event_seq or c.waiting_thread is not null)";

    private final Database database;
    private final DueWork due;

    /** Counts in a database, in the background as well. */
    public WaitingUpkeep(Database database, DueWork due) {
        this.database = database;
        this.due = due;
        due.add(new WorkKind(KIND, NEXT, WorkKind.Pace.patient(INTERVAL, AT_ONCE), this::countAll));
    }

    /**
     * How far an organization is counted.
     *
     * @param seq the event up to which who waits is true, or null before the first step
     * @param clock the last event
     * @param thread the last thread of the first count, or null after its end
     * @param horizon events up to this one are not kept
     */
    private record Progress(
            @Nullable Long seq, long clock, @Nullable UUID thread, long horizon) {
        boolean isDone() {
            return seq != null && seq == clock && thread == null;
        }
    }

    /**
     * Makes sure that who waits is known for all threads of an organization.
     *
     * @throws Problem {@code service_unavailable} when that takes more than five seconds, as after an upgrade
     */
    public void require(UUID organization) {
        if (database.read(tx -> progress(tx, View.of(organization))).isDone()) {
            return;
        }
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (step(organization) > 0) {
            if (System.nanoTime() > end) {
                throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Who waits in these threads is still being counted")
                        .retryAfter(Duration.ofSeconds(10));
            }
        }
    }

    private void countAll(UUID organization) {
        long counted = 0;
        long said = System.nanoTime();
        int recounted = step(organization);
        while (recounted > 0 && !due.isStopping()) {
            counted += recounted;
            if (System.nanoTime() - said > LOGGED) {
                log(organization, counted, false);
                said = System.nanoTime();
            }
            recounted = step(organization);
        }
        if (counted >= THREADS) {
            log(organization, counted, recounted == 0);
        }
    }

    private static void log(UUID organization, long counted, boolean isDone) {
        LogLine.of("threads counted")
                .with("organization_id", organization)
                .with("threads", counted)
                .with("done", isDone)
                .write();
    }

    /** Counts some threads; returns at least one as long as there is more to do. */
    private int step(UUID organization) {
        View all = View.of(organization);
        // Takes no sequence number: it changes nothing that followers of the clock read.
        return database.write(organization, 0, (tx, opening) -> {
            opening.run();
            Progress now = progress(tx, all);
            if (now.isDone()) {
                return 0;
            }
            if (now.seq == null || now.seq < now.horizon) {
                move(tx, all, now.clock, FIRST);
                return 1;
            }
            return now.seq < now.clock ? followEvents(tx, all, now, now.seq) : followThreads(tx, all, now);
        });
    }

    private record Change(long seq, @Nullable UUID thread) {}

    private static int followEvents(Tx tx, View all, Progress now, long from) {
        List<Change> changes = tx.sql(
                        all,
                        "select e.seq, e.thread_id from event e where {e} and e.seq > :from order by e.seq limit :most")
                .bind("from", from)
                .bind("most", EVENTS)
                .list(row -> new Change(row.longer("seq"), row.uuidOrNull("thread_id")));
        List<UUID> threads = new ArrayList<>();
        for (Change change : changes) {
            if (change.thread != null && !threads.contains(change.thread)) {
                threads.add(change.thread);
            }
        }
        WaitingSql.recountAnew(tx, all, threads);
        move(tx, all, changes.size() < EVENTS ? now.clock : changes.getLast().seq, now.thread);
        return Math.max(1, threads.size());
    }

    private record Size(UUID thread, int messages) {}

    private static int followThreads(Tx tx, View all, Progress now) {
        List<Size> sizes = tx.sql(
                        all,
                        "select t.thread_id, t.message_count from thread t where {t} and t.thread_id > :from"
                                + " order by t.thread_id limit :most")
                .bind("from", now.thread)
                .bind("most", THREADS)
                .list(row -> new Size(row.uuid("thread_id"), row.integer("message_count")));
        List<UUID> threads = new ArrayList<>();
        long messages = 0;
        for (Size size : sizes) {
            messages += size.messages;
            if (threads.isEmpty() || messages <= MESSAGES) {
                threads.add(size.thread);
            }
        }
        WaitingSql.recountAnew(tx, all, threads);
        boolean isEnd = sizes.size() < THREADS && threads.size() == sizes.size();
        move(tx, all, now.clock, isEnd ? null : threads.getLast());
        return Math.max(1, threads.size());
    }

    private static Progress progress(Tx tx, View all) {
        return tx.sql(all, """
                select k.waiting_seq, k.event_seq, k.waiting_thread,
                       coalesce((select h.seq from event_horizon h where {h}), 0) as horizon
                from organization_clock k where {k}""")
                .single(row -> new Progress(
                        row.longerOrNull("waiting_seq"),
                        row.longer("event_seq"),
                        row.uuidOrNull("waiting_thread"),
                        row.longer("horizon")));
    }

    private static void move(Tx tx, View all, long seq, @Nullable UUID thread) {
        tx.sql(all, "update organization_clock k set waiting_seq = :seq, waiting_thread = :thread where {k}")
                .bind("seq", seq)
                .bind("thread", thread)
                .run();
    }
}
