package dev.inboxd.mail.recurrence;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Intervals of hours, minutes or seconds on the wall. Their dates are few when BY parts leave out most days and hours:
 * what is left out is passed over at once.
 */
final class ClockIntervals extends RuleIntervals {
    private final RecurrenceRule rule;
    private final DayFilter filter;
    private final LocalDateTime start;
    private final long origin;
    private final long step;

    ClockIntervals(RecurrenceRule rule, LocalDateTime start) {
        this.rule = rule;
        this.filter = new DayFilter(rule, start);
        this.start = start;
        int unit = rule.frequency().seconds();
        long second = start.toEpochSecond(ZoneOffset.UTC);
        this.origin = second - Math.floorMod(second, unit);
        this.step = (long) unit * rule.interval();
    }

    @Override
    long near(LocalDateTime time) {
        return Math.max(0, Math.floorDiv(time.toEpochSecond(ZoneOffset.UTC) - origin, step));
    }

    @Override
    long firstDay(long number) {
        return Math.floorDiv(origin + number * step, (long) SECONDS_OF_DAY);
    }

    @Override
    long next(long number, long lastDay) {
        long second = origin + number * step;
        long day = Math.floorDiv(second, (long) SECONDS_OF_DAY);
        long matchingDay = firstTakenDay(day, lastDay);
        if (matchingDay > day) {
            return from(matchingDay * SECONDS_OF_DAY);
        }
        int clock = (int) (second - day * SECONDS_OF_DAY);
        int allowed = clock;
        for (Frequency unit : List.of(Frequency.HOURLY, Frequency.MINUTELY, Frequency.SECONDLY)) {
            // The longest part that does not fit decides how far to go.
            if (allowed == clock && unit.seconds() >= rule.frequency().seconds()) {
                allowed = firstAllowed(clock, unit);
            }
        }
        return allowed == clock ? number : from(day * SECONDS_OF_DAY + allowed);
    }

    private long from(long second) {
        return Math.ceilDiv(second - origin, step);
    }

    private long firstTakenDay(long day, long lastDay) {
        long candidate = day;
        while (candidate <= lastDay) {
            LocalDate date = LocalDate.ofEpochDay(candidate);
            if (filter.takes(date)) {
                return candidate;
            }
            candidate += filter.step(date);
        }
        return candidate;
    }

    /** The first second from this on whose hour, minute or second is allowed; for none, where the longer unit ends. */
    private int firstAllowed(int clock, Frequency unit) {
        RulePart part = switch (unit) {
            case HOURLY -> RulePart.BYHOUR;
            case MINUTELY -> RulePart.BYMINUTE;
            default -> RulePart.BYSECOND;
        };
        if (!rule.has(part)) {
            return clock;
        }
        int cycle = unit == Frequency.HOURLY ? SECONDS_OF_DAY : unit == Frequency.MINUTELY ? 3600 : 60;
        int base = clock - clock % cycle;
        int value = clock % cycle / unit.seconds();
        for (int number : rule.numbers(part)) {
            if (number >= value) {
                return number == value ? clock : base + number * unit.seconds();
            }
        }
        return base + cycle;
    }

    @Override
    IntervalSet set(long number) {
        long second = origin + number * step;
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
        Frequency frequency = rule.frequency();
        List<Integer> minutes = frequency == Frequency.HOURLY
                ? orOwn(rule, RulePart.BYMINUTE, start.getMinute())
                : List.of(time.getMinute());
        List<Integer> seconds = frequency == Frequency.SECONDLY
                ? List.of(time.getSecond())
                : orOwn(rule, RulePart.BYSECOND, start.getSecond());
        return new IntervalSet(
                new long[] {Math.floorDiv(second, (long) SECONDS_OF_DAY)},
                new IntervalSet.ClockTimes(List.of(time.getHour()), minutes, seconds),
                rule.numbers(RulePart.BYSETPOS));
    }
}
