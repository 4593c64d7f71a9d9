package dev.inboxd.mail.calendar;

import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A VEVENT (RFC 5545 §3.6.1).
 *
 * @param organizer who made it, or null
 */
public record EventComponent(
        Identity identity,
        Schedule schedule,
        Words words,
        @Nullable Person organizer,
        List<Guest> attendees) {
    public EventComponent {
        attendees = List.copyOf(attendees);
    }

    /**
     * Which event, and which state of it.
     *
     * @param stamp when this state was made
     * @param recurrenceId the one date of a series that is meant, as the series has it: the nominal start, in the zone
     *     and the kind of the series, wherever the date was moved; its end says nothing. Null when no date is meant
     */
    public record Identity(
            String uid,
            int sequence,
            Instant stamp,
            @Nullable EventTime recurrenceId) {}

    /**
     * When it takes place.
     *
     * @param rule a checked rule without its name, or null
     */
    public record Schedule(
            EventTime time, @Nullable String rule, List<LocalDateTime> exdates, List<Recurrence.AddedDate> rdates) {
        public Schedule {
            exdates = List.copyOf(exdates);
            rdates = List.copyOf(rdates);
        }

        /** Takes place once. */
        public static Schedule once(EventTime time) {
            return new Schedule(time, null, List.of(), List.of());
        }
    }

    /**
     * What people read.
     *
     * @param status CONFIRMED, TENTATIVE or CANCELLED
     */
    public record Words(
            String summary,
            @Nullable String description,
            @Nullable String location,
            String status,
            @Nullable String comment) {}

    /** An address with the name of who has it, or null. */
    public record Person(String email, @Nullable String name) {}

    /**
     * An attendee.
     *
     * @param role REQ-PARTICIPANT or OPT-PARTICIPANT
     * @param status NEEDS-ACTION, ACCEPTED, DECLINED or TENTATIVE
     */
    public record Guest(Person person, String role, String status) {}
}
