package dev.inboxd.job;

import dev.inboxd.database.Database;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The processes that share one database. Each shows every two seconds that it lives; of one that has not for six, the
 * others take over what it had claimed, so that nothing waits longer than ten seconds for a process that died. Time is
 * the database's alone, unmoved by tests.
 */
public final class Nodes implements AutoCloseable {
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final Duration DEAD = Duration.ofSeconds(6);
    /** Before others count us for dead we stop by ourselves. */
    private static final Duration DOUBTFUL = Duration.ofSeconds(5);

    private final Database database;
    private final UUID self = UUID.randomUUID();
    private final List<Consumer<UUID>> heirs = new CopyOnWriteArrayList<>();
    private volatile long seen = System.nanoTime();
    private @Nullable Beat beat;

    /** The processes of a database; this one is not among them before {@link #start}. */
    public Nodes(Database database) {
        this.database = database;
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
        return System.nanoTime() - seen < DOUBTFUL.toNanos();
    }

    /** Shows itself, and goes on doing so. */
    public void start() {
        show();
        beat = new Beat("nodes", HEARTBEAT, this::beat);
    }

    /** Leaves: what it still holds is free at once. */
    @Override
    public void close() {
        Beat running = beat;
        if (running != null) {
            running.close();
            heirs.forEach(heir -> heir.accept(self));
            database.writeGlobal(tx -> tx.sql("delete from node where node_id = :self").bind("self", self).run());
        }
    }

    private void beat() {
        show();
        for (UUID dead : database.read(tx -> tx.sql("select n.node_id from node n where n.node_id <> :self"
                + " and n.seen_at < statement_timestamp() - make_interval(secs => :dead)")
                .bind("self", self).bind("dead", (double) DEAD.toSeconds()).list(row -> row.uuid("node_id")))) {
            heirs.forEach(heir -> heir.accept(dead));
            // One that was only slow has shown itself meanwhile, and stays.
            database.writeGlobal(tx -> tx.sql("delete from node n where n.node_id = :node"
                    + " and n.seen_at < statement_timestamp() - make_interval(secs => :dead)")
                    .bind("node", dead).bind("dead", (double) DEAD.toSeconds()).run());
        }
    }

    private void show() {
        long before = System.nanoTime();
        database.writeGlobal(tx -> tx.sql("""
                insert into node as n (node_id, seen_at) values (:self, statement_timestamp())
                on conflict (node_id) do update set seen_at = excluded.seen_at""").bind("self", self).run());
        seen = before;
    }
}
