package dev.inboxd.console.view;

import dev.inboxd.base.json.JsonTree;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A month of a calendar, in whole weeks from Monday.
 *
 * @param month the month
 * @param days of its weeks
 */
public record MonthGrid(YearMonth month, List<Day> days) {
    public MonthGrid {
        days = List.copyOf(days);
    }

    /**
     * A day.
     *
     * @param isWithin whether it is part of the month
     * @param isToday whether it is the day of the page
     */
    public record Day(LocalDate date, boolean isWithin, boolean isToday, List<Entry> entries) {
        /** The day of the week and the day, as Mon 2. */
        public String name() {
            return date.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH) + " " + date.getDayOfMonth();
        }
    }

    /**
     * What takes place on a day.
     *
     * @param time of its start; empty when it is all-day, or began on a day before
     * @param event as the agenda has it
     */
    public record Entry(String time, JsonTree event) {}

    /**
     * The month with what takes place in it.
     *
     * @param zone of the calendar
     * @param events of the agenda, in their order
     */
    public static MonthGrid of(YearMonth month, ZoneId zone, Instant now, List<JsonTree> events) {
        LocalDate first = first(month);
        LocalDate last = last(month);
        LocalDate today = LocalDate.ofInstant(now, zone);
        List<Day> days = new ArrayList<>();
        for (LocalDate date = first; !date.isAfter(last); date = date.plusDays(1)) {
            days.add(new Day(date, YearMonth.from(date).equals(month), date.equals(today), new ArrayList<>()));
        }
        events.forEach(event -> place(event, zone, days));
        return new MonthGrid(month, days);
    }

    private static void place(JsonTree event, ZoneId zone, List<Day> days) {
        try {
            ZonedDateTime start = Instant.parse(event.text("start_at")).atZone(zone);
            ZonedDateTime end = Instant.parse(event.text("end_at")).atZone(zone);
            boolean allDay = event.is("all_day");
            LocalDate from = allDay ? LocalDate.parse(event.text("start")) : start.toLocalDate();
            LocalDate to = allDay
                    ? LocalDate.parse(event.text("end"))
                    : end.isAfter(start) ? end.minusNanos(1).toLocalDate() : start.toLocalDate();
            LocalDate begin = days.getFirst().date();
            for (int i = Math.max(0, Math.toIntExact(ChronoUnit.DAYS.between(begin, from)));
                    i < days.size() && !days.get(i).date().isAfter(to);
                    i++) {
                Day day = days.get(i);
                boolean starts = !allDay && day.date().equals(from);
                LocalTime time = start.toLocalTime().truncatedTo(ChronoUnit.MINUTES);
                day.entries().add(new Entry(starts ? time.toString() : "", event));
            }
        } catch (DateTimeException unreadable) {
            // An event without times is on no day.
        }
    }

    /** The first day of the week in which a month begins. */
    public static LocalDate first(YearMonth month) {
        return month.atDay(1).with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
    }

    /** The last day of the week in which a month ends. */
    public static LocalDate last(YearMonth month) {
        return month.atEndOfMonth().with(TemporalAdjusters.nextOrSame(DayOfWeek.SUNDAY));
    }

    /** Whether nothing takes place in the month itself. */
    public boolean isFree() {
        return days.stream().noneMatch(day -> day.isWithin && !day.entries.isEmpty());
    }

    /** A month in words: the one before it, or behind it. */
    public String name(int months) {
        YearMonth adjacent = month.plusMonths(months);
        return adjacent.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH) + " " + adjacent.getYear();
    }

    /** The zone of a name; UTC for one that this server does not know. */
    public static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException unknown) {
            return ZoneOffset.UTC;
        }
    }
}
