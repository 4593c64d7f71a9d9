package dev.inboxd.base.job.upkeep;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Work on the whole installation that one node does for all: one at a time, and not again before its interval has
 * passed, however often nodes are started. Who is at it, and when it was last done, is in the database.
 */
public final class Upkeep {
    /** How long others wait for a node that is at it and says nothing. */
    private static final Duration LEASE = Duration.ofMinutes(10);
    /** How often a node says that it is still at it. */
    private static final Duration STEP = Duration.ofMinutes(1);

    private final Database database;
    private final LongSupplier nanos;

    /** The upkeep of the installation in a database. */
    public Upkeep(Database database) {
        this(database, System::nanoTime);
    }

    /** @param nanos a monotonic clock, in nanoseconds */
    Upkeep(Database database, LongSupplier nanos) {
        this.database = database;
        this.nanos = nanos;
    }

    /** What a turn does. */
    @FunctionalInterface
    public interface Work {
        /**
         * Does it.
         *
         * @param turn to be asked now and then whether to go on
         * @return whether it came to its end; otherwise the next node that asks begins anew
         */
        boolean run(Turn turn);
    }

    /** The turn of this node; it is used by one thread. */
    public final class Turn {
        private final String name;
        private final UUID holder = UUID.randomUUID();
        private long said = nanos.getAsLong();
        private boolean lost;

        private Turn(String name) {
            this.name = name;
        }

        /** Whether this node is still the one that does it; cheap, writes once a minute. */
        public boolean isOurs() {
            if (!lost && nanos.getAsLong() - said > STEP.toNanos()) {
                lost = !holds(tx -> UpkeepSql.extend(tx, name, holder, now(tx).plus(LEASE)));
                said = nanos.getAsLong();
            }
            return !lost;
        }

        private boolean begin(Duration every) {
            return holds(tx -> {
                Instant now = now(tx);
                return UpkeepSql.begin(tx, name, holder, new UpkeepSql.Times(now, now.plus(LEASE), now.minus(every)));
            });
        }

        private void end(boolean done) {
            holds(tx -> UpkeepSql.end(tx, name, holder, done ? now(tx) : null));
        }
    }

    /**
     * Does some work now, unless another node is at it, or it was done within the interval.
     *
     * @param name of the work, one for all nodes
     * @param every the interval from an end to the next beginning
     */
    public void run(String name, Duration every, Work work) {
        Turn turn = new Turn(name);
        if (turn.begin(every)) {
            boolean done = false;
            try {
                done = work.run(turn);
            } finally {
                turn.end(done);
            }
        }
    }

    private boolean holds(Predicate<Tx> statement) {
        return database.writeTransient(statement::test);
    }

    private static Instant now(Tx tx) {
        return tx.sql("select {now} as at").single(row -> row.instant("at"));
    }
}
