package dev.inboxd.mail.recurrence;

import java.time.DayOfWeek;
import java.util.Comparator;

/**
 * A value of BYDAY (RFC 5545 §3.3.10).
 *
 * @param ordinal 0 for every such day; else which one of the month or year, from the end when below 0
 */
record OrdinalDay(int ordinal, DayOfWeek day) {
    /** Every such day first, then from the beginning, then from the end. */
    static final Comparator<OrdinalDay> ORDER = Comparator.<OrdinalDay>comparingInt(
                    ordinalDay -> RuleReader.rank(ordinalDay.ordinal))
            .thenComparing(OrdinalDay::day);

    @Override
    public String toString() {
        return (ordinal == 0 ? "" : String.valueOf(ordinal)) + word(day);
    }

    /** The two letters of a day. */
    static String word(DayOfWeek day) {
        return day.name().substring(0, 2);
    }
}
