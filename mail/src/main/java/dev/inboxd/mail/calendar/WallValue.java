package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Dates and times on the wall, without a zone (RFC 5545 §3.3.4, §3.3.5). */
final class WallValue {
    private static final int DATE_LENGTH = "19970714".length();
    private static final int TIME_LENGTH = "19970714T173000".length();
    private static final int FIRST_YEAR = 1900;
    private static final int LAST_YEAR = 9999;
    private static final int LAST_SECOND = 59;

    private WallValue() {}

    /** A start in a zone, without length. */
    static EventTime moment(boolean allDay, LocalDateTime at, ZoneId zone) {
        return new EventTime(allDay, at, at, zone, allDay ? DurationMode.NOMINAL : DurationMode.EXACT);
    }

    static LocalDateTime local(String text) throws CalendarSyntaxException {
        return bounded(wall(text));
    }

    /** A date, or a date and time without a zone, of any year. */
    static LocalDateTime wall(String text) throws CalendarSyntaxException {
        LocalDateTime at = null;
        if (text.length() == DATE_LENGTH) {
            at = local(number(text, 0, 8), 0);
        } else if (text.length() == TIME_LENGTH
                && (text.charAt(DATE_LENGTH) == 'T' || text.charAt(DATE_LENGTH) == 't')) {
            at = local(number(text, 0, 8), number(text, 9, 15));
        }
        if (at == null) {
            throw new CalendarSyntaxException("A date or time is malformed");
        }
        return at;
    }

    private static @Nullable LocalDateTime local(int date, int time) {
        if (date < 0 || time < 0) {
            return null;
        }
        int second = time % 100;
        try {
            return LocalDateTime.of(
                    date / 10_000,
                    date / 100 % 100,
                    date % 100,
                    time / 10_000,
                    time / 100 % 100,
                    // RFC 5545 §3.3.12: who has no leap seconds reads the 60th as the 59th.
                    second == LAST_SECOND + 1 ? LAST_SECOND : second);
        } catch (DateTimeException none) {
            return null;
        }
    }

    /** The digits of a range, or a negative number. */
    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + c - '0';
        }
        return number;
    }

    /** A time within the years of calendars; others are refused. */
    static LocalDateTime bounded(LocalDateTime at) throws CalendarSyntaxException {
        check(at.getYear() >= FIRST_YEAR && at.getYear() <= LAST_YEAR, "A date is not between the years 1900 and 9999");
        return at;
    }
}
