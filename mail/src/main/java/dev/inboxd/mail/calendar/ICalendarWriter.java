package dev.inboxd.mail.calendar;

import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes calendars (RFC 5545 §3.4; RFC 5546 §3.2 with a method). */
public final class ICalendarWriter {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("uuuuMMdd", Locale.ROOT);

    private final ContentLines lines = new ContentLines();

    private ICalendarWriter() {}

    /**
     * Writes a calendar.
     *
     * @param method what is asked of the receiver, such as REQUEST; null for a calendar that is only published
     * @param events in any zones
     * @return UTF-8, lines of at most 75 octets that end in CRLF
     */
    public static byte[] write(@Nullable String method, List<EventComponent> events) {
        ICalendarWriter writer = new ICalendarWriter();
        writer.calendar(method, events);
        return writer.lines.octets();
    }

    private void calendar(@Nullable String method, List<EventComponent> events) {
        begin(lines);
        if (method != null) {
            lines.add("METHOD:" + method);
        }
        ZoneSpans zones = new ZoneSpans();
        events.forEach(zones::add);
        zones.write(lines);
        events.forEach(this::event);
        lines.add("END:VCALENDAR");
    }

    /** Begins a calendar. */
    static void begin(ContentLines lines) {
        lines.add("BEGIN:VCALENDAR")
                .add("VERSION:2.0")
                .add("PRODID:-//inboxd//EN")
                .add("CALSCALE:GREGORIAN");
    }

    /** The lines of some events, without a calendar around them. */
    static byte[] events(List<EventComponent> events) {
        ICalendarWriter writer = new ICalendarWriter();
        events.forEach(writer::event);
        return writer.lines.octets();
    }

    private void event(EventComponent event) {
        EventComponent.Identity identity = event.identity();
        EventTime time = event.schedule().time();
        lines.add("BEGIN:VEVENT")
                .add("UID", identity.uid())
                .add("SEQUENCE:" + identity.sequence())
                .add("DTSTAMP:" + utc(identity.stamp()))
                .add("DTSTART" + at(time, time.start()));
        end(time);
        EventTime date = identity.recurrenceId();
        if (date != null) {
            lines.add("RECURRENCE-ID" + at(date, date.start()));
        }
        schedule(event.schedule());
        words(event.words());
        people(event);
        lines.add("END:VEVENT");
    }

    /**
     * The end, which is left out when it is the start (RFC 5545 §3.8.2.2). One in the second time round of an overlap
     * has no name on the wall, and is written in UTC.
     */
    private void end(EventTime time) {
        if (time.allDay()) {
            lines.add("DTEND" + at(time, time.end().plusDays(1)));
        } else if (isSecondTime(time)) {
            lines.add("DTEND:" + utc(time.endAt()));
        } else if (time.endAt().isAfter(time.startAt())) {
            lines.add("DTEND" + at(time, time.shownEnd()));
        }
    }

    private static boolean isSecondTime(EventTime time) {
        return !time.shownEnd().atZone(time.zone()).toInstant().equals(time.endAt());
    }

    private void schedule(EventComponent.Schedule schedule) {
        EventTime time = schedule.time();
        if (schedule.rule() != null) {
            lines.add("RRULE:" + schedule.rule());
        }
        schedule.exdates().forEach(date -> lines.add("EXDATE" + at(time, date)));
        for (Recurrence.AddedDate date : schedule.rdates()) {
            EventTime own = date.time();
            // A period is of times of day: days have the length of their series.
            lines.add(
                    own == null || own.allDay()
                            ? "RDATE" + at(time, date.start())
                            : "RDATE;VALUE=PERIOD" + at(own, own.start()) + "/" + periodEnd(own));
        }
    }

    private static String periodEnd(EventTime time) {
        return isSecondTime(time)
                ? Duration.between(time.startAt(), time.endAt()).toString()
                : value(time, time.shownEnd());
    }

    private void words(EventComponent.Words words) {
        lines.add("SUMMARY", words.summary());
        optional("DESCRIPTION", words.description());
        optional("LOCATION", words.location());
        lines.add("STATUS:" + words.status());
        optional("COMMENT", words.comment());
    }

    private void optional(String name, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            lines.add(name, text);
        }
    }

    private void people(EventComponent event) {
        EventComponent.Person organizer = event.organizer();
        if (organizer != null) {
            lines.add("ORGANIZER" + name(organizer) + ":" + ContentLines.mailto(organizer.email()));
        }
        for (EventComponent.Guest guest : event.attendees()) {
            lines.add("ATTENDEE" + name(guest.person()) + ";ROLE=" + guest.role() + ";PARTSTAT=" + guest.status()
                    + ";RSVP=TRUE:" + ContentLines.mailto(guest.person().email()));
        }
    }

    private static String name(EventComponent.Person person) {
        return person.name() == null ? "" : ";CN=" + ContentLines.parameter(person.name());
    }

    /** The parameters and the value of a time. */
    private static String at(EventTime time, LocalDateTime local) {
        String kind = time.allDay() ? ";VALUE=DATE" : isUtc(time.zone()) ? "" : ";TZID=" + zoneName(time.zone());
        return kind + ":" + value(time, local);
    }

    /** The name of a zone as a parameter, in quotes when it has a colon, as an offset has. */
    private static String zoneName(ZoneId zone) {
        return zone.getId().indexOf(':') < 0 ? zone.getId() : ContentLines.parameter(zone.getId());
    }

    private static String value(EventTime time, LocalDateTime local) {
        return time.allDay()
                ? DATE.format(local)
                : TimeZoneComponent.LOCAL.format(local) + (isUtc(time.zone()) ? "Z" : "");
    }

    private static String utc(Instant instant) {
        return TimeZoneComponent.LOCAL.format(instant.atOffset(ZoneOffset.UTC)) + "Z";
    }

    static boolean isUtc(ZoneId zone) {
        return zone.normalized().equals(ZoneOffset.UTC);
    }
}
