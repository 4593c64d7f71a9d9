package dev.inboxd.mail.recurrence;

import java.time.LocalDateTime;
import java.util.List;

/**
 * The intervals of a rule, FREQ times INTERVAL long, numbered from that of the start. Each is found by arithmetic from
 * its number, so that a far one costs no more than the first.
 */
abstract class RuleIntervals {
    static final int SECONDS_OF_DAY = 86_400;

    /** The intervals of a rule whose series starts then. */
    static RuleIntervals of(RecurrenceRule rule, LocalDateTime start) {
        return rule.frequency().isWithinDay() ? new ClockIntervals(rule, start) : new DayIntervals(rule, start);
    }

    /** The number of an interval that begins at or before a time, and near it; at least 0. */
    abstract long near(LocalDateTime time);

    /** The day, since 1970, before which an interval has no date. */
    abstract long firstDay(long number);

    /** The first interval from this on that may have a date; a later one than the last day when none is found. */
    abstract long next(long number, long lastDay);

    /** The dates of an interval that {@link #next} gave, perhaps none; also those before the start. */
    abstract IntervalSet set(long number);

    /** The values of a part, or the start's own. */
    static List<Integer> orOwn(RecurrenceRule rule, RulePart part, int own) {
        return rule.has(part) ? rule.numbers(part) : List.of(own);
    }
}
