package dev.inboxd.fuzz;

import dev.inboxd.mail.calendar.EventComponent;
import dev.inboxd.mail.calendar.ICalendarReader;
import dev.inboxd.mail.calendar.ICalendarWriter;
import dev.inboxd.mail.calendar.ReadEvent;
import dev.inboxd.mail.calendar.ReadResult;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A calendar: what was read of it is written so that it is read the same again. */
final class CalendarFuzz {
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    /** In the last year an end may lie after all that can be written. */
    private static final int LAST_YEAR = 9998;

    private CalendarFuzz() {}

    static void check(FuzzInput in) {
        ReadResult result = ICalendarReader.read(in.rest(), null, ZONE);
        if (!(result instanceof ReadResult.Calendar calendar)) {
            hold(!((ReadResult.Refusal) result).reason().isEmpty(), "refused without a reason");
            return;
        }
        List<EventComponent> events = new ArrayList<>();
        for (ReadEvent event : calendar.events()) {
            EventTime time = event.time();
            if (time == null || time.end().getYear() > LAST_YEAR) {
                return;
            }
            events.add(component(event, time));
        }
        byte[] written = ICalendarWriter.write(calendar.method(), events);
        ReadResult again = ICalendarReader.read(written, null, ZONE);
        hold(again instanceof ReadResult.Calendar, "refused when it is written: " + again);
        ReadResult.Calendar same = (ReadResult.Calendar) again;
        hold(calendar.uid().equals(same.uid()), "another UID");
        for (int i = 0; i < events.size(); i++) {
            String was = facts(calendar.events().get(i));
            String is = facts(same.events().get(i));
            hold(was.equals(is), "read as " + was + ", and when it is written as " + is);
        }
    }

    private static EventComponent component(ReadEvent event, EventTime time) {
        Instant stamp = event.stamp() == null ? Instant.EPOCH : event.stamp();
        return new EventComponent(
                new EventComponent.Identity(event.uid(), event.sequence(), stamp, event.recurrenceId()),
                new EventComponent.Schedule(
                        time, event.rule() == null ? null : event.rule().text(), event.exdates(), event.rdates()),
                event.words(),
                event.organizer(),
                event.attendees());
    }

    private static String facts(ReadEvent event) {
        List<String> facts = new ArrayList<>();
        facts.add(event.sequence() + " " + event.rule() + " " + event.exdates());
        facts.add(fact(event.time()) + " " + fact(event.recurrenceId()));
        event.rdates().forEach(date -> facts.add(date.start() + " " + fact(date.time())));
        facts.add(event.words() + " " + event.organizer() + " " + event.attendees());
        return facts.toString();
    }

    /** The mode is not written. */
    private static String fact(@Nullable EventTime time) {
        return time == null ? "none" : time.start() + " " + time.zone() + " " + time.startAt() + " " + time.endAt();
    }

    private static void hold(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
