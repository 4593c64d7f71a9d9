package dev.inboxd.mail.recurrence;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The nominal starts that a rule makes, in order, from a time on, without those between the start of the series and
 * that time; a rule with COUNT has to count them. Within an interval, BYSETPOS counts the dates before the start as
 * well (RFC 5545 §3.3.10). UNTIL is the caller's.
 */
final class RuleDates {
    /** How many dates, and intervals without any, are looked at from one beginning. */
    static final int MAX_CANDIDATES = 100_000;

    /** After so many years without a date there are no more. */
    static final int MAX_YEARS = 50;

    private final RecurrenceRule rule;
    private final LocalDateTime start;
    private final LocalDateTime from;
    private final LocalDateTime notAfter;
    private final RuleIntervals intervals;
    private long number;
    private @Nullable IntervalSet set;
    private int position;
    private int counted;
    private int candidates;
    private LocalDateTime last;

    /**
     * The dates of a rule.
     *
     * @param start the nominal start of the series
     * @param from the first nominal start that is wanted
     * @param notAfter the last one
     */
    RuleDates(RecurrenceRule rule, LocalDateTime start, LocalDateTime from, LocalDateTime notAfter) {
        this.rule = rule;
        this.start = start;
        this.from = from.isBefore(start) ? start : from;
        this.notAfter = notAfter;
        this.intervals = RuleIntervals.of(rule, start);
        this.number = rule.count() > 0 ? 0 : intervals.near(this.from);
        this.last = this.from;
    }

    /** The next one; null at the end, or at the bound. */
    @Nullable
    LocalDateTime next() {
        while (candidates < MAX_CANDIDATES && (rule.count() == 0 || counted < rule.count())) {
            if (set == null || position >= set.size()) {
                if (!nextSet()) {
                    return null;
                }
                continue;
            }
            candidates++;
            counted++;
            last = set.at(position++);
            return last.isAfter(notAfter) ? null : last;
        }
        return null;
    }

    /** How many dates, and intervals without any, it has looked at. */
    int candidates() {
        return candidates;
    }

    /** Goes to the next interval; false when it is too far away. */
    private boolean nextSet() {
        LocalDateTime bound = last.plusYears(MAX_YEARS);
        long lastDay =
                (bound.isBefore(notAfter) ? bound : notAfter).toLocalDate().toEpochDay();
        long next = intervals.next(number, lastDay);
        if (intervals.firstDay(next) > lastDay) {
            return false;
        }
        set = null;
        if (next == number) {
            IntervalSet intervalSet = intervals.set(next);
            int dropped = intervalSet.before(start);
            position = intervalSet.before(from);
            counted += position - dropped;
            set = intervalSet;
            number++;
            candidates += position < intervalSet.size() ? 0 : 1;
        } else {
            number = next;
            candidates++;
        }
        return true;
    }
}
