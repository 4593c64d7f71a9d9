package dev.inboxd.platform.job;

import dev.inboxd.platform.database.Database;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that share one database. Each shows every two seconds that it lives; of one that has not for six, the
 * others take over what it had claimed, so that nothing waits longer than ten seconds for a process that died. Time is
 * the database's alone, unmoved by tests.
 */
public final class Nodes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final Duration DEAD = Duration.ofSeconds(6);
    /** Before others count us for dead we stop by ourselves. */
    private static final Duration DOUBTFUL = Duration.ofSeconds(5);
    /** Longer between two signs of life than this, and the database or this process was away. */
    private static final Duration STEADY = Duration.ofSeconds(4);

    private final Database database;
    private final UUID self = UUID.randomUUID();
    private final List<Consumer<UUID>> heirs = new CopyOnWriteArrayList<>();
    private final LongSupplier nanos;
    private volatile long seen;
    private volatile long steadySince;
    private final PeriodicTask beat = new PeriodicTask("nodes", HEARTBEAT, this::show);
    private final PeriodicTask looking = new PeriodicTask("nodes that died", HEARTBEAT, this::refresh);

    /** The processes of a database; this one is not among them before {@link #start}. */
    public Nodes(Database database) {
        this(database, System::nanoTime);
    }

    /** @param nanos a clock that never goes back, in nanoseconds */
    Nodes(Database database, LongSupplier nanos) {
        this.database = database;
        this.nanos = nanos;
        this.seen = nanos.getAsLong();
        this.steadySince = seen - DEAD.toNanos();
    }

    /** The name of this process in what it claims; another after every start. */
    public UUID self() {
        return self;
    }

    /**
     * Says who takes over what a dead process had claimed; before {@link #start}.
     *
     * @param heir gets the name of the process; may be called twice for one, and on several nodes at once
     */
    public void onDeath(Consumer<UUID> heir) {
        heirs.add(heir);
    }

    /** Whether the others can still count on us. What begins when not could be done a second time elsewhere. */
    public boolean isAlive() {
        return nanos.getAsLong() - seen < DOUBTFUL.toNanos();
    }

    /** Shows itself, and goes on doing so. */
    public void start() {
        show();
        beat.start();
        looking.start();
    }

    /** Leaves: what it still holds is free at once. */
    @Override
    public void close() {
        if (!beat.isStarted()) {
            return;
        }
        looking.close();
        beat.close();
        try {
            bury(self);
        } catch (RuntimeException failure) {
            LOG.warn("Others take over what this process held when it shows itself no more: {}", failure.toString());
        }
    }

    /** Apart from showing itself, which must not wait until everything is taken over. */
    void refresh() {
        // Who could not show itself for a while says nothing of others, who could not either.
        long now = nanos.getAsLong();
        if (now - seen > STEADY.toNanos() || now - steadySince < DEAD.toNanos()) {
            return;
        }
        for (UUID dead : database.read(tx -> tx.sql("select n.node_id from node n where n.node_id <> :self"
                        + " and n.seen_at < statement_timestamp() - make_interval(secs => :dead)")
                .bind("self", self)
                .bind("dead", (double) DEAD.toSeconds())
                .list(row -> row.uuid("node_id")))) {
            bury(dead);
        }
    }

    private void bury(UUID node) {
        heirs.forEach(heir -> heir.accept(node));
        // One that was only slow has shown itself meanwhile, and stays.
        database.writeGlobal(tx -> tx.sql("delete from node n where n.node_id = :node and (n.node_id = :self"
                        + " or n.seen_at < statement_timestamp() - make_interval(secs => :dead))")
                .bind("node", node)
                .bind("self", self)
                .bind("dead", (double) DEAD.toSeconds())
                .run());
    }

    /**
     * Takes over, organization by organization; one that cannot be written now keeps none of the others waiting.
     *
     * @throws RuntimeException when it failed for one, after all were tried; then it is done again
     */
    public static void takeOver(Collection<UUID> organizations, Consumer<UUID> taking) {
        RuntimeException last = null;
        for (UUID organization : organizations) {
            try {
                taking.accept(organization);
            } catch (RuntimeException failure) {
                LOG.warn("What a process held of {} is taken over later: {}", organization, failure.toString());
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
        database.writeGlobal(tx -> tx.sql("""
                insert into node as n (node_id, seen_at) values (:self, statement_timestamp())
                on conflict (node_id) do update set seen_at = excluded.seen_at""").bind("self", self).run());
        seen = before;
    }
}
