package dev.inboxd.mail.recurrence;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.TemporalAdjusters;
import java.util.BitSet;
import java.util.List;

/**
 * Which days the BY parts of a rule choose, whatever its interval. What the rule leaves out comes from the start: a
 * yearly rule without days has the day and month of it, a monthly rule the day, a weekly one and BYWEEKNO the weekday.
 */
final class DayFilter {
    private final RecurrenceRule rule;
    private final BitSet months;
    private final List<Integer> weeks;
    private final List<Integer> yearDays;
    private final List<Integer> monthDays;
    private final List<OrdinalDay> days;
    private final boolean ordinalsOfYear;

    /** The days of a rule whose series starts then. */
    DayFilter(RecurrenceRule rule, LocalDateTime start) {
        this.rule = rule;
        this.weeks = rule.numbers(RulePart.BYWEEKNO);
        this.yearDays = rule.numbers(RulePart.BYYEARDAY);
        boolean isYearly = rule.frequency() == Frequency.YEARLY;
        boolean isOpen = !rule.has(RulePart.BYMONTHDAY) && !rule.has(RulePart.BYDAY) && yearDays.isEmpty();
        boolean byMonthDay = isOpen && ((isYearly && weeks.isEmpty()) || rule.frequency() == Frequency.MONTHLY);
        this.monthDays = byMonthDay ? List.of(start.getDayOfMonth()) : rule.numbers(RulePart.BYMONTHDAY);
        boolean byWeekday = isOpen && (!weeks.isEmpty() || rule.frequency() == Frequency.WEEKLY);
        this.days = byWeekday ? List.of(new OrdinalDay(0, start.getDayOfWeek())) : rule.days();
        this.months = new BitSet();
        rule.numbers(RulePart.BYMONTH).forEach(months::set);
        // RFC 5545 §3.3.10: a numbered day is one of the month where BYMONTH is, else of the year.
        this.ordinalsOfYear = isYearly && months.isEmpty();
        if (months.isEmpty() && isYearly && byMonthDay) {
            months.set(start.getMonthValue());
        }
        if (months.isEmpty()) {
            months.set(1, 13);
        }
    }

    /** Whether a month has any. */
    boolean takesMonth(int month) {
        return months.get(month);
    }

    boolean takes(LocalDate day) {
        return months.get(day.getMonthValue())
                && takesNumber(monthDays, day.getDayOfMonth(), day.lengthOfMonth())
                && takesNumber(yearDays, day.getDayOfYear(), day.lengthOfYear())
                && (days.isEmpty() || takesWeekday(day))
                && (weeks.isEmpty() || takesWeek(day));
    }

    /** How many days to go on from one that is not taken: past a month or week of which none is. */
    int step(LocalDate day) {
        if (!months.get(day.getMonthValue())) {
            return day.lengthOfMonth() - day.getDayOfMonth() + 1;
        }
        boolean isInWeek = weeks.isEmpty() || takesWeek(day);
        return isInWeek ? 1 : (int) (weekStart(day).toEpochDay() + 7 - day.toEpochDay());
    }

    private boolean takesWeekday(LocalDate day) {
        int number = ordinalsOfYear ? day.getDayOfYear() : day.getDayOfMonth();
        int length = ordinalsOfYear ? day.lengthOfYear() : day.lengthOfMonth();
        for (OrdinalDay weekday : days) {
            if (weekday.day() == day.getDayOfWeek()) {
                int ordinal = weekday.ordinal();
                if (ordinal == 0 || ordinal == (number - 1) / 7 + 1 || ordinal == -((length - number) / 7 + 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean takesWeek(LocalDate day) {
        LocalDate start = firstWeek(yearOfWeek(day));
        int week = (int) ((day.toEpochDay() - start.toEpochDay()) / 7) + 1;
        return takesNumber(weeks, week, weeksOf(start.plusDays(7).getYear()));
    }

    private int weeksOf(int year) {
        return (int) ((firstWeek(year + 1).toEpochDay() - firstWeek(year).toEpochDay()) / 7);
    }

    /** The year that the week of a day belongs to, by WKST: that of at least four of its days. */
    int yearOfWeek(LocalDate day) {
        return weekStart(day).plusDays(3).getYear();
    }

    /** The first day of the first week of a year, by WKST: the week of 4 January. */
    LocalDate firstWeek(int year) {
        return weekStart(LocalDate.of(year, 1, 4));
    }

    /** The first day of the week of a day, by WKST. */
    LocalDate weekStart(LocalDate day) {
        return day.with(TemporalAdjusters.previousOrSame(rule.weekStart()));
    }

    private static boolean takesNumber(List<Integer> numbers, int number, int length) {
        if (numbers.isEmpty()) {
            return true;
        }
        for (int listed : numbers) {
            if (listed == number || listed == number - length - 1) {
                return true;
            }
        }
        return false;
    }
}
