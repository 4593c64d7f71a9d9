package dev.inboxd.calendar.series;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Which date of a series is meant by a RECURRENCE-ID (RFC 5545 §3.8.4.4), whatever zone it is written in: the
 * instant in UTC, or the day.
 */
public final class RecurrenceName {
    private static final DateTimeFormatter INSTANT =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private RecurrenceName() {}

    /** The name of a date. */
    public static String of(EventTime recurrenceId) {
        return recurrenceId.allDay()
                ? DateTimeFormatter.BASIC_ISO_DATE.format(recurrenceId.start())
                : INSTANT.format(recurrenceId.startAt());
    }

    /** The time that a name stands for, without length, in a zone. */
    public static EventTime time(String name, ZoneId zone) {
        boolean isDay = name.indexOf('T') < 0;
        LocalDateTime wall = isDay
                ? LocalDate.parse(name, DateTimeFormatter.BASIC_ISO_DATE).atStartOfDay()
                : LocalDateTime.ofInstant(Instant.from(INSTANT.parse(name)), zone);
        return new EventTime(isDay, wall, wall, zone, isDay ? DurationMode.NOMINAL : DurationMode.EXACT);
    }

    /** Whether two names are of one date. A day stands for the date with times on that day of a zone. */
    public static boolean isSame(String first, String second, ZoneId zone) {
        return first.equals(second)
                || (first.indexOf('T') < 0 != second.indexOf('T') < 0
                        && time(first, zone)
                                .start()
                                .toLocalDate()
                                .equals(time(second, zone).start().toLocalDate()));
    }
}
