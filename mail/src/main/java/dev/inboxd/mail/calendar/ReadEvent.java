package dev.inboxd.mail.calendar;

import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A VEVENT of mail (RFC 5545 §3.6.1).
 *
 * @param sequence 0 when it says nothing
 * @param stamp when this state was made, or null when it does not say in a way that is understood
 * @param recurrenceId the date of a series that is meant, in the kind and zone in which it stands; the end says
 *     nothing. {@link Recurrence#named} finds it in its series. Null when the event itself is meant
 * @param time when it takes place, the end equal to the start when it has no length. Null only where RFC 5546 §3.2
 *     needs none: of a method other than REQUEST, PUBLISH, ADD and COUNTER
 * @param rule null when there is none, and of a date. How many dates it makes is not checked
 * @param exdates nominal starts in the zone of {@code time} that are taken out
 * @param rdates further dates, in the zone of {@code time}; the start is one where the rule does not make it, and there
 *     may be some without a rule
 * @param words the summary may be empty; texts are cut to the lengths that events have
 * @param organizer null when there is none with an address
 * @param organizerEmail the address that EMAIL names beside that of the organizer (RFC 7986 §6.2), or null
 * @param attendees each address once, in lower case; those without one are left out
 */
public record ReadEvent(
        String uid,
        int sequence,
        @Nullable Instant stamp,
        @Nullable EventTime recurrenceId,
        @Nullable EventTime time,
        @Nullable RecurrenceRule rule,
        List<LocalDateTime> exdates,
        List<Recurrence.AddedDate> rdates,
        EventComponent.Words words,
        EventComponent.@Nullable Person organizer,
        @Nullable String organizerEmail,
        List<EventComponent.Guest> attendees) {
    /** Copies the lists. */
    public ReadEvent {
        exdates = List.copyOf(exdates);
        rdates = List.copyOf(rdates);
        attendees = List.copyOf(attendees);
    }
}
