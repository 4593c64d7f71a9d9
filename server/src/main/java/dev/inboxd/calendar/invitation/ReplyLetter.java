package dev.inboxd.calendar.invitation;

import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.AttendeeStatus;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.event.InvitationChange;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.mail.calendar.EventComponent;
import dev.inboxd.mail.calendar.ICalendarWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer of the inbox to the organizer, who is written to where the invitation says. */
final class ReplyLetter {
    private static final String REPLY = "REPLY";

    private ReplyLetter() {}

    /**
     * The mail of an answer.
     *
     * @param event what is answered
     * @param content the same with the answer
     */
    static InvitationMail of(CalendarTx change, InvitationChange mail, EventComponent event, EventContent content) {
        EventComponent.Words words = event.words();
        Attendee own = content.guests().own(change.inbox().address()).orElseThrow();
        List<EventComponent.Guest> self = event.attendees().stream()
                .filter(guest -> guest.person().email().equals(own.email()))
                .toList();
        CalendarEvent.Origin origin = mail.event().origin();
        String to = origin.answersTo() == null ? origin.organizer() : origin.answersTo();
        EventComponent reply = new EventComponent(
                event.identity(),
                event.schedule(),
                new EventComponent.Words(
                        words.summary(),
                        null,
                        null,
                        words.status(),
                        own.answer().comment()),
                new EventComponent.Person(to, null),
                self);
        InvitationMail.Text text = InvitationText.of("Responded", content);
        return new InvitationMail(
                change.inbox().id(),
                change.operation(),
                REPLY,
                new InvitationMail.Text(text.subject(), answered(own) + text.body()),
                new String(ICalendarWriter.write(REPLY, List.of(reply)), StandardCharsets.UTF_8),
                origin.message(),
                List.of(to),
                change.author().after(mail.event().author()));
    }

    private static String answered(Attendee own) {
        AttendeeStatus status = own.answer().status();
        @Nullable String comment = own.answer().comment();
        String word = status == AttendeeStatus.TENTATIVE ? "tentatively accepted" : status.wireName();
        return own.email() + " has " + word + " this invitation.\n\n" + (comment == null ? "" : comment + "\n\n");
    }
}
