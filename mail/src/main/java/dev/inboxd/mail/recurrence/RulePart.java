package dev.inboxd.mail.recurrence;

import java.util.EnumSet;
import java.util.Set;

/** The parts of a rule (RFC 5545 §3.3.10), with the numbers that they take. */
enum RulePart {
    FREQ(0, 0, false),
    INTERVAL(1, 366, false),
    COUNT(1, 10_000, false),
    UNTIL(0, 0, false),
    WKST(0, 0, false),
    BYMONTH(1, 12, false),
    BYWEEKNO(1, 53, true),
    BYYEARDAY(1, 366, true),
    BYMONTHDAY(1, 31, true),
    BYDAY(1, 53, true),
    BYHOUR(0, 23, false),
    BYMINUTE(0, 59, false),
    BYSECOND(0, 60, false),
    BYSETPOS(1, 366, true);

    /** What an all-day event cannot use. */
    static final Set<RulePart> OF_CLOCK = EnumSet.of(BYHOUR, BYMINUTE, BYSECOND);

    private final int least;
    private final int most;
    private final boolean fromEnd;

    RulePart(int least, int most, boolean fromEnd) {
        this.least = least;
        this.most = most;
        this.fromEnd = fromEnd;
    }

    /** Whether a number fits; below 0 it counts from the end. */
    boolean takes(int number) {
        return (number >= least && number <= most) || (fromEnd && number <= -least && number >= -most);
    }

    /** The numbers in words. */
    String range() {
        return fromEnd ? "%d to %d or -%d to -%d".formatted(least, most, least, most) : least + " to " + most;
    }
}
