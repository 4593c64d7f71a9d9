package dev.inboxd.sandbox.clock;

import dev.inboxd.base.time.ClockPosition;

/**
 * The clock as the database has it.
 *
 * @param number of the last move; none before the first
 * @param frozen whether it stands until somebody lets it run; a clock that walks stands as well
 * @param walking whether a call moves it now
 */
record ClockRecord(long number, ClockPosition reading, boolean frozen, boolean walking) {
    /** Before the first move. */
    static final ClockRecord UNMOVED = new ClockRecord(0, ClockPosition.REAL, false, false);

    /** Whether it stands in the middle of a walk that nobody goes on with: its process has ended. */
    boolean isAbandoned() {
        return reading.stands() != null && !frozen && !walking;
    }
}
