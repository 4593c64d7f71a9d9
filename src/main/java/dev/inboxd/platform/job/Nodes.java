package dev.inboxd.platform.job;

import dev.inboxd.platform.database.Database;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that share one database. Each sends a heartbeat every two seconds. The others take over the claims of
 * a node without a heartbeat for six seconds, so that nothing waits longer than ten seconds for a dead process. Time
 * is the database's own clock, which tests do not move.
 */
public final class Nodes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final Duration DEAD = Duration.ofSeconds(6);
    /** A node stops claiming by itself before the others take it for dead. */
    private static final Duration DOUBTFUL = Duration.ofSeconds(5);
    /**
     * Longest interval between two heartbeats of a steady node; after a longer one, the database or this process was
     * away.
     */
    private static final Duration STEADY = Duration.ofSeconds(4);

    private final Database database;
    private final UUID self = UUID.randomUUID();
    private final List<Consumer<UUID>> deathListeners = new CopyOnWriteArrayList<>();
    private final LongSupplier nanos;
    private final Departures departures = new Departures(this::isAlive, this::marks);
    private final List<Consumer<Marks>> markListeners = new CopyOnWriteArrayList<>();
    /** Null until the first look. */
    private volatile @Nullable Marks marks;

    private long acknowledged;
    private volatile long seen;
    private volatile long steadySince;
    private final PeriodicTask heartbeat = new PeriodicTask("nodes", HEARTBEAT, this::show);
    private final PeriodicTask deadNodeCheck = new PeriodicTask("dead nodes", HEARTBEAT, this::refresh);

    /** The nodes of a database; this process joins with {@link #start}. */
    public Nodes(Database database) {
        this(database, System::nanoTime);
    }

    /** @param nanos a monotonic clock, in nanoseconds */
    Nodes(Database database, LongSupplier nanos) {
        this.database = database;
        this.nanos = nanos;
        this.seen = nanos.getAsLong();
        this.steadySince = seen - DEAD.toNanos();
    }

    /** The id of this process in its claims; a new one after every start. */
    public UUID self() {
        return self;
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
     * Whether the other nodes still count on this one. Work begun while this is false could run a second time on
     * another node.
     */
    public boolean isAlive() {
        return nanos.getAsLong() - seen < DOUBTFUL.toNanos();
    }

    /** What may leave this process, by the marks of the installation. */
    public Departures departures() {
        return departures;
    }

    /** The marks that this process goes by; read anew with each heartbeat. */
    public Marks marks() {
        Marks known = marks;
        return known == null ? look() : known;
    }

    /** Registers a listener for other marks than before; call it before {@link #start}. */
    public void onMarks(Consumer<Marks> listener) {
        markListeners.add(listener);
    }

    private synchronized Marks look() {
        Marks before = marks;
        Marks found = database.read(tx -> MarkSql.find(tx, before));
        if (before == null || before.number() != found.number()) {
            marks = found;
            database.gate().follow(found);
            markListeners.forEach(listener -> listener.accept(found));
        }
        return found;
    }

    /** Sends the first heartbeat, and goes on sending them. */
    public void start() {
        show();
        heartbeat.start();
        deadNodeCheck.start();
    }

    /** Leaves: the claims of this node are free at once. */
    @Override
    public void close() {
        if (!heartbeat.isStarted()) {
            return;
        }
        deadNodeCheck.close();
        heartbeat.close();
        try {
            remove(self);
        } catch (RuntimeException failure) {
            LOG.warn("node did not sign off; others take over its claims in seconds: {}", failure.toString());
        }
    }

    /** Takes over the claims of dead nodes. It runs apart from the heartbeat, which must not wait for it. */
    void refresh() {
        // A node that could not send heartbeats for a while cannot judge others: they may not have been able to,
        // either.
        long now = nanos.getAsLong();
        if (now - seen > STEADY.toNanos() || now - steadySince < DEAD.toNanos()) {
            return;
        }
        for (UUID dead : database.read(tx -> tx.sql("select n.node_id from node n where n.node_id <> :self"
                        + " and n.seen_at < statement_timestamp() - make_interval(secs => :dead)")
                .bind("self", self)
                .bind("dead", (double) DEAD.toSeconds())
                .list(row -> row.uuid("node_id")))) {
            remove(dead);
        }
    }

    private void remove(UUID node) {
        deathListeners.forEach(listener -> listener.accept(node));
        // A node that was only slow has sent a heartbeat meanwhile, and stays.
        database.writeTransient(tx -> tx.sql("delete from node n where n.node_id = :node and (n.node_id = :self"
                        + " or n.seen_at < statement_timestamp() - make_interval(secs => :dead))")
                .bind("node", node)
                .bind("self", self)
                .bind("dead", (double) DEAD.toSeconds())
                .run());
    }

    /**
     * Takes over, organization by organization. An organization that cannot be written now does not hold up the
     * others.
     *
     * @throws RuntimeException when one organization failed, after all were tried; the take-over is then repeated
     */
    public static void takeOver(Collection<UUID> organizations, Consumer<UUID> taking) {
        RuntimeException last = null;
        for (UUID organization : organizations) {
            try {
                taking.accept(organization);
            } catch (RuntimeException failure) {
                LOG.warn("take-over postponed: organization_id={} cause={}", organization, failure.toString());
                last = failure;
            }
        }
        if (last != null) {
            throw last;
        }
    }

    void show() {
        long before = nanos.getAsLong();
        if (before - seen > STEADY.toNanos()) {
            steadySince = before;
        }
        Marks now = look();
        if (departures.areSettled() && database.gate().isSettled()) {
            acknowledged = now.number();
        }
        database.writeTransient(
                tx -> tx.sql("""
                insert into node as n (node_id, seen_at, marks) values (:self, statement_timestamp(), :marks)
                on conflict (node_id) do update set seen_at = excluded.seen_at, marks = excluded.marks""").bind("self", self).bind("marks", acknowledged).run());
        seen = before;
    }
}
