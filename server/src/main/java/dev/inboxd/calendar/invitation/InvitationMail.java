package dev.inboxd.calendar.invitation;

import dev.inboxd.calendar.series.CalendarTx;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A mail of a change, with those who are still to get it. Each gets one of his own.
 *
 * @param operation the id of the change
 * @param method METHOD (RFC 5546 §1.4)
 * @param calendar what it says, in iCalendar
 * @param author the key behind the change, and those that wrote in the event
 * @param answers the public id of the message that it answers, or null
 */
record InvitationMail(
        UUID inbox,
        String operation,
        String method,
        Text text,
        String calendar,
        @Nullable String answers,
        List<String> recipients,
        CalendarTx.Author author) {
    InvitationMail {
        recipients = List.copyOf(recipients);
    }

    /** The same under the name of another mail of its change. */
    InvitationMail withOperation(String newOperation) {
        return new InvitationMail(inbox, newOperation, method, text, calendar, answers, recipients, author);
    }

    /** What a person reads. */
    record Text(String subject, String body) {}
}
