package dev.inboxd.base.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a clock differs from the real one.
 *
 * @param shift how far it is ahead while it runs, in whole microseconds
 * @param stands where it stands, in whole microseconds; null while it runs
 */
public record ClockPosition(Duration shift, @Nullable Instant stands) {
    /** As the real one. */
    public static final ClockPosition REAL = new ClockPosition(Duration.ZERO, null);

    /** It runs at its pace from a time that it has at a real one. */
    public static ClockPosition running(Instant at, Instant real) {
        return new ClockPosition(Duration.between(micros(real), micros(at)), null);
    }

    /** It stands. */
    public static ClockPosition standing(Instant at, Instant real) {
        return new ClockPosition(running(at, real).shift, micros(at));
    }

    /** What it shows at a real time. */
    public Instant at(Instant real) {
        return stands == null ? real.plus(shift) : stands;
    }

    /** Adds what a statement says of the time to its values; nothing where the clock is the database's. */
    public static void bind(Map<String, @Nullable Object> values, @Nullable ClockPosition time) {
        if (time != null) {
            values.put("clock_shift", time.shift.toSeconds() + time.shift.toNanosPart() / 1e9);
            values.put("clock_stands", time.stands);
        }
    }

    private static Instant micros(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }
}
