package dev.inboxd.base.job;

import dev.inboxd.base.database.ChangeLook;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.turn.ChangedOrganizations;
import dev.inboxd.base.job.turn.RowTurns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds due work of all kinds and organizations by one look a second at one table (decision 0074). Whoever writes to an
 * organization leaves a row that something has changed there; a look at the organization makes a row of it for each
 * kind of work that waits. Rows make the work certain, on any node; what this process wrote itself it looks at at once.
 */
public final class DueWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DueWork.class);
    /** Between two looks, which see ahead as far: so work begins at its time, and not at the next look. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** Until others look at what this process wrote, whether it lives or not: less than the ten seconds of P8b. */
    private static final Duration CHANGED = Duration.ofSeconds(8);
    /** How long a row is left to the node that has taken it. */
    private static final Duration LEASE = Duration.ofSeconds(8);
    /** What is due later is found by its row. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final Duration LAST_WAIT = Duration.ofSeconds(10);
    private static final int MOST = 1_000;

    private final Database database;
    private final List<WorkKind> kinds = new ArrayList<>();
    private final PeriodicTask looking = new PeriodicTask("due work", INTERVAL, this::takeDue);
    private final WorkTasks tasks = new WorkTasks(this::done);
    private final RowTurns taking = new RowTurns(this::wakeIfMore);
    private final WorkTimers timers = new WorkTimers();
    private final ChangedOrganizations changed = new ChangedOrganizations(this::scheduleNext);
    private String next = "";
    private volatile boolean stopping;
    /** Whether the last look found more rows than one look takes. */
    private volatile boolean more;

    /** Work in a database; none is looked for before {@link #start}. */
    public DueWork(Database database) {
        this.database = database;
    }

    /** Registers a kind of work; call it before {@link #start}. */
    public void add(WorkKind kind) {
        kinds.add(kind);
        next = DueWorkSql.next(kinds);
    }

    /** Starts to look. */
    public void start() {
        database.changeLook().setListener(CHANGED, changed::add);
        looking.start();
    }

    /** Whether nothing new is to be begun. */
    public boolean isStopping() {
        return stopping;
    }

    /** Stops looking; what was begun goes on. */
    @Override
    public void close() {
        stopping = true;
        database.changeLook().setListener(Duration.ZERO, _ -> {});
        looking.close();
        timers.close();
        tasks.close();
    }

    /** Waits for what was begun, for a limited time; what goes on after it is found again by the next node. */
    public void awaitEnd() {
        tasks.awaitEnd(LAST_WAIT);
    }

    /** Takes up work of an organization now, on this node; a hint, from any thread. */
    public void wake(String kind, UUID organization) {
        WorkKind work = kind(kind);
        if (!stopping
                && looking.isStarted()
                && !work.worker().isHeld()
                && !database.gate().isPaused(organization)) {
            tasks.run(work, organization, false);
        }
    }

    /** Looks at once, as somebody has moved the clock. */
    public void lookNow() {
        looking.wake();
    }

    /** What waits, at a moment, and when the next is due. */
    public WorkSurvey survey(TakeOver takeOver) {
        return new WorkSurvey(database, kinds, tasks, takeOver);
    }

    /** Settles the rows of an organization, as a node that finds its row due does. */
    void settleNow(UUID organization) {
        settleRows(organization);
    }

    private WorkKind kind(String name) {
        return findKind(name).orElseThrow(() -> new IllegalArgumentException("No such kind of work: " + name));
    }

    /** Nothing for a kind that only another revision knows, or that this node does not do. */
    private Optional<WorkKind> findKind(String name) {
        return kinds.stream().filter(kind -> kind.name().equals(name)).findFirst();
    }

    private void takeDue() {
        if (database.gate().isClosed()) {
            return; // no claim could be written
        }
        Stream<WorkKind> startable =
                kinds.stream().filter(kind -> !kind.worker().isHeld());
        String[] names = Stream.concat(Stream.of(ChangeLook.CHANGE), startable.map(WorkKind::name))
                .toArray(String[]::new);
        List<DueWorkSql.Row> rows = new ArrayList<>(database.read(tx -> DueWorkSql.due(tx, INTERVAL, names, MOST)));
        if (rows.size() == MOST) {
            // All nodes see the same rows then: each takes them in an order of its own.
            Collections.shuffle(rows);
            more = true;
        }
        for (DueWorkSql.Row row : rows) {
            if (!database.gate().isOpen(row.organization())) {
                continue; // it moves or is paused, and its row stays
            }
            if (row.millis() <= 0) {
                take(row.kind(), row.organization());
            } else {
                timers.at(Duration.ofMillis(row.millis()), row.kind(), row.organization(), this::take);
            }
        }
    }

    /** The rows of the last look are taken: if there were more, they do not wait for the next one. */
    private void wakeIfMore() {
        if (more && !stopping) {
            more = false;
            looking.wake();
        }
    }

    /** Takes a row that is due, unless another node is faster. */
    private void take(String kind, UUID organization) {
        WorkKind work = findKind(kind).orElse(null);
        if (work != null && tasks.isRunning(work, organization)) {
            tasks.markByRow(work, organization);
            return;
        }
        taking.run(kind, organization, () -> {
            if (!stopping && database.writeGlobal(tx -> DueWorkSql.claim(tx, organization, kind, LEASE))) {
                if (work == null) {
                    settleRows(organization);
                } else {
                    tasks.run(work, organization, true);
                }
            }
        });
    }

    /** After work: what was found by a row is settled there; else asking what is next is enough. */
    private void done(WorkKind kind, UUID organization, boolean byRow) {
        if (!stopping) {
            runLogged(organization, () -> {
                if (byRow) {
                    settleRows(organization, kind);
                } else {
                    scheduleNext(organization, kind);
                }
            });
        }
    }

    /** Asks what waits of an organization, under its clock, writes that to its rows, and takes up what is due. */
    private void settleRows(UUID organization) {
        View all = View.of(organization);
        List<WorkKind> due = new ArrayList<>();
        database.write(organization, 0, (tx, opening) -> {
            RoundTrip.Result<DueWorkSql.Dues> duesResult = DueWorkSql.next(opening, all, next, kinds);
            opening.run();
            Map<String, Instant> rows = new HashMap<>();
            due.clear();
            for (DueWorkSql.Dues dues : duesResult.rows()) {
                dues.next().forEach((name, at) -> {
                    boolean now = !at.isAfter(dues.at());
                    if (now) {
                        due.add(kind(name));
                    }
                    rows.put(name, now ? dues.at().plus(LEASE) : at);
                });
            }
            RoundTrip writes = tx.roundTrip();
            DueWorkSql.replace(writes, all, rows, kinds);
            writes.run();
            return null;
        });
        due.forEach(kind -> tasks.run(kind, organization, true));
    }

    /** The same for the row of one kind that was just done; what is left of it rests, as it could not be taken up. */
    private void settleRows(UUID organization, WorkKind done) {
        View all = View.of(organization);
        database.write(organization, 0, (tx, opening) -> {
            RoundTrip.Result<DueWorkSql.Dues> duesResult = DueWorkSql.next(opening, all, next, kinds);
            opening.run();
            RoundTrip writes = tx.roundTrip();
            for (DueWorkSql.Dues dues : duesResult.rows()) {
                Instant at = dues.next().get(done.name());
                Instant rested = dues.at().plus(done.pace().interval());
                DueWorkSql.replace(writes, all, done, at == null || at.isAfter(dues.at()) ? at : rested);
            }
            writes.run();
            return null;
        });
    }

    private void scheduleNext(UUID organization) {
        runLogged(organization, () -> scheduleNext(organization, null));
    }

    /** Asks what waits of an organization, and takes it up at its time, on this node; writes nothing. */
    private void scheduleNext(UUID organization, @Nullable WorkKind done) {
        if (stopping || !looking.isStarted()) {
            return;
        }
        View all = View.of(organization);
        List<DueWorkSql.Dues> allDues = database.read(tx -> {
            RoundTrip trip = tx.roundTrip();
            RoundTrip.Result<DueWorkSql.Dues> dues = DueWorkSql.next(trip, all, next, kinds);
            trip.run();
            return dues.rows();
        });
        for (DueWorkSql.Dues dues : allDues) {
            dues.next().forEach((name, at) -> {
                WorkKind kind = kind(name);
                Duration wait = Duration.between(dues.at(), at);
                if (kind.equals(done) && wait.compareTo(kind.pace().interval()) < 0) {
                    wait = kind.pace().interval();
                }
                if (!kind.pace().isPatient() && wait.compareTo(SOON) < 0) {
                    timers.at(wait, name, organization, this::wake);
                }
            });
        }
    }

    private void runLogged(UUID organization, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException later) {
            LOG.warn("due work postponed organization_id={} cause={}", organization, later.toString());
        }
    }
}
