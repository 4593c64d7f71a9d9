package dev.inboxd.base.time;

import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The time of a server in development: what decides by time reads it, in Java here, and in SQL by the same reading
 * (decision 0089). It never goes back, but to the real time when nothing is left that it passed.
 */
public final class MovableClock implements InstantSource {
    private final InstantSource real;
    private volatile State state = new State(ClockPosition.REAL, 0);

    private record State(ClockPosition reading, long number) {}

    /**
     * A clock that shows the real time until it is moved.
     *
     * @param real the real time
     */
    public MovableClock(InstantSource real) {
        this.real = real;
    }

    @Override
    public Instant instant() {
        return state.reading.at(real.instant());
    }

    /** The real time behind a clock, which in production is the clock itself. */
    public static InstantSource real(InstantSource clock) {
        return clock instanceof MovableClock movable ? movable.real : clock;
    }

    /** How it differs from the real time now. */
    public ClockPosition reading() {
        return state.reading;
    }

    /** How it differs from the real time since its first move; null before. */
    public @Nullable ClockPosition moved() {
        State now = state;
        return now.number == 0 ? null : now.reading;
    }

    /** The number of the last move that this process knows; none before the first. */
    public long number() {
        return state.number;
    }

    /**
     * Moves it, unless a later move is known.
     *
     * @param number of the move, as the database counts them
     */
    public synchronized void move(ClockPosition reading, long number) {
        if (number > state.number) {
            state = new State(reading, number);
        }
    }
}
