package dev.inboxd.sandbox.clock;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Notifications;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.time.ClockPosition;
import dev.inboxd.base.time.MovableClock;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The clock of all nodes on a database, which is a row, and the clock of this process, which follows the row. A call of
 * any node has it alone while it moves it.
 */
public final class StoredClock {
    private static final String CHANNEL = "inboxd_clock";

    private final Database database;
    private final MovableClock clock;

    /** The clock of a process, and the database that it follows. */
    public StoredClock(Database database, MovableClock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Reads the row, and moves this process to it; a walk that nobody goes on with ends where it came to. */
    public void follow() {
        ClockRecord record = find();
        if (record.isAbandoned()) {
            ClockPosition reading = ClockPosition.running(record.reading().at(real()), real());
            database.writeTransient(tx -> ClockSql.resume(tx, record, reading));
        } else {
            clock.move(record.reading(), record.number());
        }
    }

    /** Takes away the turn of a process that has ended; for a database that no other process uses. */
    void takeOver() {
        database.runTransient(tx -> {
            ClockSql.releaseAll(tx);
        });
        follow();
    }

    /** Hears of moves by other processes. */
    void listen(Notifications notifications, Runnable moved) {
        notifications.on(CHANNEL, new Notifications.Listener() {
            @Override
            public void notified(String word) {
                followed(moved);
            }

            @Override
            public void listening() {
                followed(moved);
            }
        });
    }

    /** Follows, and tells when the clock of this process was moved. */
    void followed(Runnable moved) {
        long before = clock.number();
        follow();
        if (clock.number() != before) {
            moved.run();
        }
    }

    ClockRecord find() {
        return database.read(ClockSql::find);
    }

    /** What it shows. */
    Instant now() {
        return clock.instant();
    }

    /** Whether it does not run now. */
    boolean stands() {
        return clock.reading().stands() != null;
    }

    /** The real time. */
    Instant real() {
        return MovableClock.real(clock).instant();
    }

    /** Takes the turn to move it; null while another call has it. */
    @Nullable
    Turn take() {
        UUID walker = UUID.randomUUID();
        if (!database.<Boolean>writeTransient(tx -> ClockSql.take(tx, walker))) {
            return null;
        }
        follow();
        return new Turn(walker, find().frozen());
    }

    /** The turn of one call to move the clock; it is used by one thread. */
    final class Turn implements AutoCloseable {
        private final UUID walker;
        private boolean frozen;

        private Turn(UUID walker, boolean frozen) {
            this.walker = walker;
            this.frozen = frozen;
        }

        boolean isFrozen() {
            return frozen;
        }

        /** From now on it stands until somebody lets it run, or no more. */
        void freeze(boolean frozen) {
            this.frozen = frozen;
        }

        /** Lets it stand at a time. */
        void stand(Instant at) {
            move(ClockPosition.standing(at, real()));
        }

        /** Lets it go on from a time: at its pace, or not when it is frozen. */
        void resume(Instant at) {
            resume(at, real());
        }

        /** Lets it go on from what it had at a real time. */
        void resume(Instant at, Instant real) {
            move(frozen ? ClockPosition.standing(at, real) : ClockPosition.running(at, real));
        }

        /** Back to the real time. */
        void reset() {
            frozen = false;
            move(ClockPosition.REAL);
        }

        private void move(ClockPosition reading) {
            long number = database.<Optional<Long>>writeTransient(tx -> {
                        Optional<Long> moved = ClockSql.move(tx, walker, reading, frozen);
                        moved.ifPresent(sequence -> tx.signal(CHANNEL, String.valueOf(sequence)));
                        return moved;
                    })
                    .orElseThrow(StoredClock::lost);
            clock.move(reading, number);
        }

        /** Says that the call goes on. */
        void extend() {
            if (!database.<Boolean>writeTransient(tx -> ClockSql.extend(tx, walker))) {
                throw lost();
            }
        }

        boolean isInhabited() {
            return database.read(ClockSql::isInhabited);
        }

        @Override
        public void close() {
            database.runTransient(tx -> {
                ClockSql.release(tx, walker);
            });
        }
    }

    private static Problem lost() {
        return Problem.of(
                ErrorCode.SERVICE_UNAVAILABLE,
                "This server was silent for so long that another call has taken the clock",
                "Read GET /sandbox/clock, and move it on from there.");
    }
}
