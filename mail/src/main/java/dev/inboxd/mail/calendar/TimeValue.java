package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;

import dev.inboxd.mail.recurrence.EventTime;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;

/** Dates and times as values (RFC 5545 §3.3.4, §3.3.5). */
final class TimeValue {
    private static final int DATE_LENGTH = "19970714".length();
    private static final int TIME_LENGTH = "19970714T173000".length();

    private final ZoneNames zones;
    private final ZoneId floating;

    /** @param floating the zone of days, and of times that name none */
    TimeValue(ZoneNames zones, ZoneId floating) {
        this.zones = zones;
        this.floating = floating;
    }

    /** The value of a property that has one. */
    EventTime read(ContentLine line) throws CalendarSyntaxException {
        return read(line, line.value());
    }

    /**
     * Reads one of the values of a property.
     *
     * @return a time without length: a day in the zone of days, or a time of day in its own zone
     */
    EventTime read(ContentLine line, String value) throws CalendarSyntaxException {
        String text = value.strip();
        boolean isUtc = text.length() == TIME_LENGTH + 1 && (text.endsWith("Z") || text.endsWith("z"));
        LocalDateTime at = isUtc ? WallValue.local(text.substring(0, TIME_LENGTH)) : WallValue.local(text);
        boolean isDate = text.length() == DATE_LENGTH;
        if (line.word("VALUE").equals("DATE") && !isDate) {
            // Some programs write days so.
            check(at.toLocalTime().equals(LocalTime.MIDNIGHT), "A day has a time");
            isDate = true;
        }
        if (isDate) {
            return WallValue.moment(true, at, floating);
        }
        String name = isUtc ? "" : line.parameters().getOrDefault("TZID", "").strip();
        return name.isEmpty() ? WallValue.moment(false, at, isUtc ? ZoneNames.UTC : floating) : zones.moment(name, at);
    }
}
