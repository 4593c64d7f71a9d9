package dev.inboxd.mail.recurrence;

import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The name of a date of a series: its original nominal start, {@code tYYYYMMDDTHHMMSS}, or {@code dYYYYMMDD} of an
 * all-day series. It stays when the date is moved.
 *
 * @param at the nominal start, at midnight when all-day
 */
public record Slot(LocalDateTime at, boolean allDay) {
    /** The years that calendars have. */
    static final int FIRST_YEAR = 1900;

    static final int LAST_YEAR = 9999;

    /** {@code YYYYMMDD}, as RFC 5545 §3.3.4 writes a date. */
    static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR, 4, 4, SignStyle.NOT_NEGATIVE)
            .appendValue(ChronoField.MONTH_OF_YEAR, 2)
            .appendValue(ChronoField.DAY_OF_MONTH, 2)
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    /** {@code YYYYMMDDTHHMMSS}, as RFC 5545 §3.3.5 writes a local time. */
    static final DateTimeFormatter DATE_TIME = new DateTimeFormatterBuilder()
            .append(DATE)
            .appendLiteral('T')
            .appendValue(ChronoField.HOUR_OF_DAY, 2)
            .appendValue(ChronoField.MINUTE_OF_HOUR, 2)
            .appendValue(ChronoField.SECOND_OF_MINUTE, 2)
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private static final int DATE_LENGTH = "d20261007".length();
    private static final int DATE_TIME_LENGTH = "t20261007T090000".length();

    /** Reads a slot; null for any other text, a date that no calendar has, and a year before 1900. */
    public static @Nullable Slot parse(String text) {
        LocalDateTime at = null;
        if (text.length() == DATE_LENGTH && text.charAt(0) == 'd') {
            at = time(text.substring(1) + "T000000");
        } else if (text.length() == DATE_TIME_LENGTH && text.charAt(0) == 't') {
            at = time(text.substring(1));
        }
        return at == null || at.getYear() < FIRST_YEAR ? null : new Slot(at, text.charAt(0) == 'd');
    }

    /** A local time of RFC 5545 §3.3.5, or null. */
    static @Nullable LocalDateTime time(String text) {
        try {
            return LocalDateTime.parse(text, DATE_TIME);
        } catch (DateTimeParseException malformed) {
            return null;
        }
    }

    /** As in ids. */
    @Override
    public String toString() {
        return allDay ? "d" + DATE.format(at) : "t" + DATE_TIME.format(at);
    }

    /** The slot of a nominal start. */
    static Slot of(LocalDateTime at, boolean allDay) {
        return new Slot(allDay ? at.with(LocalTime.MIDNIGHT) : at, allDay);
    }
}
