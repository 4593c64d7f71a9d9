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
 * @param identity which event, and which state of it
 * @param schedule when it takes place
 * @param words what people read
 * @param organizer who made it, or null
 * @param attendees who is invited, in order
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
     * @param uid the UID (RFC 5545 §3.8.4.7), the same for all dates of a series
     * @param sequence the number of the revision, from 0 (RFC 5545 §3.8.7.4)
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
     * @param time the time of the event, or of the series itself
     * @param rule a checked rule without its name, as {@code RecurrenceRule#text} gives it, or null
     * @param exdates nominal starts in the zone of {@code time} that are taken out
     * @param rdates further dates, in the zone of {@code time}
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
     * @param summary the title, perhaps empty
     * @param description the long text, or null
     * @param location the place, or null
     * @param status CONFIRMED, TENTATIVE or CANCELLED
     * @param comment a note to those who get the calendar, or null
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
