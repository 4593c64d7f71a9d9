package dev.inboxd.calendar.event;

import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.series.CalendarEvent;
import java.util.List;

/** Who was invited, after an invitation is sent. */
final class MailStates {
    private MailStates() {}

    /** The event after its invitation went to all attendees. */
    static CalendarEvent invited(CalendarEvent event) {
        List<String> all =
                event.content().guests().list().stream().map(Attendee::email).toList();
        return event.with(new CalendarEvent.MailState(
                all, event.version().sequence(), event.mail().stamp()));
    }
}
