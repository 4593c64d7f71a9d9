package dev.inboxd.base.job;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that share one database. Each sends a heartbeat every two seconds, and hears in the same statement who
 * has been silent. The others take over the claims of a node without a heartbeat for six seconds, so that nothing waits
 * longer than ten seconds for a dead process. One that was silent itself for five begins a new life under a new name,
 * and takes over from its former one as from any other. Time is the database's own clock, which tests do not move.
 */
public final class Nodes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    /** After a heartbeat that failed. */
    private static final Duration RETRY = Duration.ofMillis(500);

    private static final Duration DEAD = Duration.ofSeconds(6);
    /** A node stops claiming by itself before the others take it for dead. */
    private static final Duration DOUBTFUL = Duration.ofSeconds(5);
    /**
     * Longest interval between two heartbeats of a steady node; after a longer one, the database or this process was
     * away.
     */
    private static final Duration STEADY = Duration.ofSeconds(4);

    private final Database database;
    private final List<Consumer<UUID>> deathListeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> renameListeners = new CopyOnWriteArrayList<>();
    private final LongSupplier nanos;
    private volatile UUID self = UUID.randomUUID();
    /** Former names of this process, and when they ended. */
    private final Map<UUID, Long> former = new ConcurrentHashMap<>();

    private volatile List<UUID> silent = List.of();
    private final Departures departures = new Departures(this::isAlive, this::marks, this::isPaused);
    private final List<Consumer<Marks>> markListeners = new CopyOnWriteArrayList<>();
    /** Null until the first look. */
    private volatile @Nullable Marks marks;

    private long acknowledged;
    private volatile long lastHeartbeat;
    private volatile long steadySince;
    private final PeriodicTask takingOver = new PeriodicTask("dead nodes", Duration.ofMinutes(10), this::refresh);
    private final PeriodicTask heartbeat = new PeriodicTask("nodes", HEARTBEAT, RETRY, this::beat);

    /** The nodes of a database; this process joins with {@link #start}. */
    public Nodes(Database database) {
        this(database, System::nanoTime);
    }

    /** @param nanos a monotonic clock, in nanoseconds */
    Nodes(Database database, LongSupplier nanos) {
        this.database = database;
        this.nanos = nanos;
        this.lastHeartbeat = nanos.getAsLong();
        this.steadySince = lastHeartbeat - DEAD.toNanos();
    }

    /** The id of this process in its claims: another one after every start, and after it was taken for dead. */
    public UUID self() {
        return self;
    }

    /** The id under which this process claims, or null while it must claim nothing: see {@link #isAlive}. */
    public @Nullable UUID claimant() {
        return isAlive() ? self : null;
    }

    /**
     * Registers a listener that takes over the claims of dead nodes; call it before {@link #start}.
     *
     * @param listener receives the id of the dead node; may be called twice for one, and on several nodes at once
     */
    public void onDeath(Consumer<UUID> listener) {
        deathListeners.add(listener);
    }

    /**
     * Registers what drops the claims in memory when this process goes on under a new name: their rows are taken over
     * from the former one. Call it before {@link #start}.
     */
    public void onRename(Runnable listener) {
        renameListeners.add(listener);
    }

    /**
     * Whether the other nodes still count on this one. Work begun while this is false could run a second time on
     * another node.
     */
    public boolean isAlive() {
        return nanos.getAsLong() - lastHeartbeat < DOUBTFUL.toNanos();
    }

    /**
     * Whether others may take over what another node, or a former name of this one, has claimed: it has been silent for
     * too long, or signed off. While this node cannot judge that, nobody is dead.
     */
    public boolean isDead(Tx tx, UUID node) {
        return isJudge()
                && !node.equals(self)
                && !tx.sql("select 1 as one from node n where n.node_id = :node"
                                + " and n.seen_at >= statement_timestamp() - make_interval(secs => :dead)")
                        .bind("node", node)
                        .bind("dead", (double) DEAD.toSeconds())
                        .exists();
    }

    /**
     * A node that could not send heartbeats for a while cannot judge others: they may not have been able to, either.
     */
    private boolean isJudge() {
        long now = nanos.getAsLong();
        return now - lastHeartbeat <= STEADY.toNanos() && now - steadySince >= DEAD.toNanos();
    }

    private boolean isPaused(UUID organization) {
        return database.gate().isPaused(organization);
    }

    /** What may leave this process, by the marks of the installation. */
    public Departures departures() {
        return departures;
    }

    /** The marks that this process goes by; read anew with each heartbeat. */
    public Marks marks() {
        Marks current = marks;
        return current == null ? readMarks() : current;
    }

    /** Registers a listener for other marks than before; call it before {@link #start}. */
    public void onMarks(Consumer<Marks> listener) {
        markListeners.add(listener);
    }

    private synchronized Marks readMarks() {
        Marks before = marks;
        Marks latest = database.read(tx -> MarkSql.find(tx, before));
        if (before == null || before.number() != latest.number()) {
            marks = latest;
            database.gate().follow(latest);
            markListeners.forEach(listener -> listener.accept(latest));
        }
        return latest;
    }

    /** Sends the first heartbeat, and goes on sending them. */
    public void start() {
        lastHeartbeat = nanos.getAsLong(); // the start may have taken long
        show();
        heartbeat.start();
        takingOver.start();
    }

    /** Leaves: the claims of this node are free at once. */
    @Override
    public void close() {
        if (!heartbeat.isStarted()) {
            return;
        }
        takingOver.close();
        heartbeat.close();
        try {
            remove(self);
        } catch (RuntimeException failure) {
            LOG.warn("node did not sign off; others take over its claims in seconds: {}", failure.toString());
        }
    }

    private void beat() {
        show();
        if (!silent.isEmpty() || !former.isEmpty()) {
            takingOver.wake();
        }
    }

    /** Takes over the claims of dead nodes. It runs apart from the heartbeat, which must not wait for it. */
    void refresh() {
        former.forEach((name, ended) -> {
            takeOver(name);
            // Once more after a while: a transaction that began under the name may have ended after the first time.
            if (nanos.getAsLong() - ended > DOUBTFUL.toNanos()) {
                remove(name);
                former.remove(name);
            }
        });
        if (isJudge()) {
            silent.stream().filter(name -> !former.containsKey(name)).forEach(this::remove);
        }
    }

    private void takeOver(UUID node) {
        deathListeners.forEach(listener -> listener.accept(node));
    }

    private void remove(UUID node) {
        takeOver(node);
        // A node that was only slow has sent a heartbeat meanwhile, and stays.
        database.writeTransient(tx -> tx.sql("delete from node n where n.node_id = :node and (n.node_id = :self"
                        + " or n.seen_at < statement_timestamp() - make_interval(secs => :dead))")
                .bind("node", node)
                .bind("self", self)
                .bind("dead", (double) DEAD.toSeconds())
                .run());
    }

    /** Sends a heartbeat. After a silence that others may have taken for death, a new name is the one that lives. */
    void show() {
        long before = nanos.getAsLong();
        if (before - lastHeartbeat > STEADY.toNanos()) {
            steadySince = before;
        }
        Heartbeat answer = sign(self);
        if (nanos.getAsLong() - lastHeartbeat >= DOUBTFUL.toNanos()) {
            UUID old = self;
            UUID now = UUID.randomUUID();
            answer = sign(now);
            self = now;
            renameListeners.forEach(Runnable::run);
            former.put(old, nanos.getAsLong());
            LOG.warn("node was silent for {} s and goes on under a new name", (before - lastHeartbeat) / 1_000_000_000);
        }
        silent = answer.silent;
        lastHeartbeat = before;
        if (marks().number() != answer.marks) {
            readMarks();
            heartbeat.wake(); // tells soon that this process goes by them
        }
    }

    /**
     * What a heartbeat finds.
     *
     * @param silent nodes that have been silent too long
     * @param marks the number of the marks of now
     */
    private record Heartbeat(List<UUID> silent, long marks) {}

    /** Notes that a node lives, and by which marks. */
    private Heartbeat sign(UUID node) {
        Marks now = marks;
        if (now != null && departures.areSettled() && database.gate().isSettled()) {
            acknowledged = now.number();
        }
        // One statement, which needs no commit of its own; written also while nothing else is.
        return database.read(tx -> {
            List<UUID> silentNodes = new ArrayList<>();
            AtomicLong number = new AtomicLong();
            tx.sql("""
                    with sign as (
                        insert into node as n (node_id, seen_at, marks)
                        values (:self, statement_timestamp(), :marks)
                        on conflict (node_id) do update set seen_at = excluded.seen_at, marks = excluded.marks)
                    select coalesce(i.marks, 0) as marks, n.node_id from (select :self::uuid as self) as s
                    left join installation i on i.name = 'inboxd'
                    left join node n on n.node_id <> s.self
                        and n.seen_at < statement_timestamp() - make_interval(secs => :dead)""")
                    .bind("self", node)
                    .bind("marks", acknowledged)
                    .bind("dead", (double) DEAD.toSeconds())
                    .list(row -> {
                        number.set(row.longer("marks"));
                        return Optional.ofNullable(row.uuidOrNull("node_id"));
                    })
                    .forEach(silent -> silent.ifPresent(silentNodes::add));
            return new Heartbeat(silentNodes, number.get());
        });
    }
}
