package dev.inboxd.mail.recurrence;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.stream.LongStream;

/** Intervals of whole days: days, weeks, months, years, and with BYWEEKNO the years that are made of weeks. */
final class DayIntervals extends RuleIntervals {
    private final RecurrenceRule rule;
    private final DayFilter filter;
    private final IntervalSet.ClockTimes times;
    private final boolean ofWeeks;
    private final long origin;

    DayIntervals(RecurrenceRule rule, LocalDateTime start) {
        this.rule = rule;
        this.filter = new DayFilter(rule, start);
        this.times = new IntervalSet.ClockTimes(
                orOwn(rule, RulePart.BYHOUR, start.getHour()),
                orOwn(rule, RulePart.BYMINUTE, start.getMinute()),
                orOwn(rule, RulePart.BYSECOND, start.getSecond()));
        this.ofWeeks = rule.has(RulePart.BYWEEKNO);
        this.origin = unit(start.toLocalDate());
    }

    /** The number of the day, week, month or year that a day is in. */
    private long unit(LocalDate day) {
        return switch (rule.frequency()) {
            case YEARLY -> ofWeeks ? filter.yearOfWeek(day) : day.getYear();
            case MONTHLY -> day.getYear() * 12L + day.getMonthValue() - 1;
            case WEEKLY -> Math.floorDiv(filter.weekStart(day).toEpochDay(), 7L);
            default -> day.toEpochDay();
        };
    }

    /** The first day of a unit. */
    private long day(long unit) {
        return switch (rule.frequency()) {
            case YEARLY -> (ofWeeks ? filter.firstWeek((int) unit) : LocalDate.of((int) unit, 1, 1)).toEpochDay();
            case MONTHLY ->
                LocalDate.of((int) Math.floorDiv(unit, 12L), (int) Math.floorMod(unit, 12L) + 1, 1)
                        .toEpochDay();
            case WEEKLY -> filter.weekStart(LocalDate.ofEpochDay(unit * 7 + 6)).toEpochDay();
            default -> unit;
        };
    }

    @Override
    long near(LocalDateTime time) {
        return Math.max(0, Math.floorDiv(unit(time.toLocalDate()) - origin, (long) rule.interval()));
    }

    @Override
    long firstDay(long number) {
        return day(origin + number * rule.interval());
    }

    /** Days and months that BYMONTH leaves out are passed over; longer intervals are few. */
    @Override
    long next(long number, long lastDay) {
        long candidate = number;
        if (rule.frequency() == Frequency.DAILY || rule.frequency() == Frequency.MONTHLY) {
            while (firstDay(candidate) <= lastDay) {
                LocalDate day = LocalDate.ofEpochDay(firstDay(candidate));
                if (filter.takesMonth(day.getMonthValue())) {
                    break;
                }
                long nextMonth = unit(day.plusMonths(1).withDayOfMonth(1));
                candidate = Math.ceilDiv(nextMonth - origin, (long) rule.interval());
            }
        }
        return candidate;
    }

    @Override
    IntervalSet set(long number) {
        long unit = origin + number * rule.interval();
        long end = day(unit + 1);
        LongStream.Builder days = LongStream.builder();
        long epochDay = day(unit);
        while (epochDay < end) {
            LocalDate day = LocalDate.ofEpochDay(epochDay);
            boolean isTaken = filter.takes(day);
            if (isTaken) {
                days.add(epochDay);
            }
            epochDay += isTaken ? 1 : filter.step(day);
        }
        return new IntervalSet(days.build().toArray(), times, rule.numbers(RulePart.BYSETPOS));
    }
}
