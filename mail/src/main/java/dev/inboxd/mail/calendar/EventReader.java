package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarSyntaxException.check;
import static dev.inboxd.mail.calendar.CalendarSyntaxException.checkSize;

import dev.inboxd.mail.recurrence.EventTime;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the events of one calendar (RFC 5545 §3.6.1). */
final class EventReader {
    private static final int MAX_UID = 1_000;
    private static final int MAX_TITLE = 1_000;
    private static final int MAX_DESCRIPTION = 65_536;
    private static final int MAX_LOCATION = 1_024;
    private static final int MAX_COMMENT = 4_096;
    private static final int MAX_DIGITS = 10;

    /** RFC 5546 §3.2: what is asked with these takes place at some time; the others may leave it out. */
    private static final Set<String> WITH_TIME = Set.of("", "REQUEST", "PUBLISH", "ADD", "COUNTER");

    private final TimeValue times;
    private final ScheduleReader schedules;
    private final boolean needsTime;

    /** @param method in upper case, or null */
    EventReader(TimeValue times, @Nullable String method) {
        this.times = times;
        this.schedules = new ScheduleReader(times);
        this.needsTime = WITH_TIME.contains(method == null ? "" : method);
    }

    ReadEvent read(Component event) throws CalendarSyntaxException {
        check(event.all("EXRULE").isEmpty(), "A series has a rule of what is taken out");
        EventTime recurrenceId = recurrenceId(event);
        ContentLine start = event.single("DTSTART");
        check(start != null || !needsTime, "An event does not say when it begins");
        EventTime time = start == null ? null : schedules.time(event, start);
        ScheduleReader.Series series = time == null || recurrenceId != null
                ? new ScheduleReader.Series(null, List.of(), List.of())
                : schedules.series(event, time);
        ContentLine organizer = event.single("ORGANIZER");
        return new ReadEvent(
                uid(event),
                sequence(event),
                stamp(event),
                recurrenceId,
                time,
                series.rule(),
                series.exdates(),
                series.rdates(),
                words(event),
                organizer == null ? null : PersonReader.person(organizer),
                organizer == null ? null : PersonReader.address(organizer),
                PersonReader.attendees(event));
    }

    private static String uid(Component event) throws CalendarSyntaxException {
        ContentLine line = event.single("UID");
        String uid = line == null ? "" : TextValue.read(line.value());
        check(!uid.isBlank(), "An event has no UID");
        checkSize(TextValue.size(uid) <= MAX_UID, "A UID is too long");
        return uid;
    }

    private static int sequence(Component event) throws CalendarSyntaxException {
        ContentLine line = event.single("SEQUENCE");
        String text = line == null ? "" : line.value().strip();
        if (text.isEmpty()) {
            return 0;
        }
        boolean isNumber = text.length() <= MAX_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        long number = isNumber ? Long.parseLong(text) : Long.MAX_VALUE;
        check(number <= Integer.MAX_VALUE, "A SEQUENCE is no number, or too large");
        return (int) number;
    }

    /** Programs that have no time for it write one that no calendar has. */
    private @Nullable Instant stamp(Component event) throws CalendarSyntaxException {
        ContentLine line = event.single("DTSTAMP");
        try {
            return line == null ? null : times.read(line).startAt();
        } catch (CalendarSyntaxException malformed) {
            return null;
        }
    }

    private @Nullable EventTime recurrenceId(Component event) throws CalendarSyntaxException {
        ContentLine line = event.single("RECURRENCE-ID");
        check(line == null || line.word("RANGE").isEmpty(), "A change is of a date and those that follow");
        return line == null ? null : times.read(line);
    }

    private static EventComponent.Words words(Component event) throws CalendarSyntaxException {
        ContentLine status = event.single("STATUS");
        String comment = text(event, "COMMENT");
        String description = text(event, "DESCRIPTION");
        String location = text(event, "LOCATION");
        String summary = text(event, "SUMMARY");
        return new EventComponent.Words(
                summary == null ? "" : TextValue.characters(summary, MAX_TITLE),
                description == null ? null : TextValue.octets(description, MAX_DESCRIPTION),
                location == null ? null : TextValue.characters(location, MAX_LOCATION),
                status == null ? "CONFIRMED" : status(status.value()),
                comment == null || TextValue.size(comment) > MAX_COMMENT ? null : comment);
    }

    private static String status(String value) {
        String status = value.strip().toUpperCase(Locale.ROOT);
        return switch (status) {
            case "TENTATIVE", "CANCELLED" -> status;
            default -> "CONFIRMED";
        };
    }

    /** The first text of a name, or null when it says nothing. */
    private static @Nullable String text(Component event, String name) {
        ContentLine line = event.first(name);
        String text = line == null ? "" : TextValue.read(line.value());
        return text.isEmpty() ? null : text;
    }
}
