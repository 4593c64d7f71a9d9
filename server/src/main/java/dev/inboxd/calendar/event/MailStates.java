package dev.inboxd.calendar.event;

import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarTx;
import java.time.Instant;
import java.util.List;

/** Who was invited, after an invitation is sent. */
final class MailStates {
    private MailStates() {}

    /** The event after its invitation went to all attendees. */
    static CalendarEvent invited(CalendarEvent event) {
        List<String> all =
                event.content().guests().list().stream().map(Attendee::email).toList();
        CalendarEvent.MailState mail = event.mail();
        return event.with(new CalendarEvent.MailState(all, event.version().sequence(), mail.stamp(), mail.sent()));
    }

    /** The event when mail of it is sent by a change. */
    static CalendarEvent sent(CalendarTx change, CalendarEvent event) {
        CalendarEvent.MailState mail = event.mail();
        if (!event.origin().recurrenceId().isEmpty()) { // the other dates of its series are events of their own
            Instant last = CalendarEventSql.lastSent(
                            change.tx(), change.view(), event.origin().uid())
                    .orElse(null);
            mail = new CalendarEvent.MailState(mail.invited(), mail.sequence(), mail.stamp(), last);
        }
        return event.with(mail.sentAt(change.now()));
    }
}
