package dev.inboxd.calendar.event;

import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.mail.recurrence.Slot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that attendees, or the organizer, are to be told of (calendar.md §7).
 *
 * @param before the event before the change; null for a new one
 * @param event the event after the change, or as it was when it was deleted; its mail state names those who were
 *     invited before
 * @param date the date that the change is about, after it; null for the event itself
 * @param dateBefore the date before the change; null for the event itself
 * @param cuts the dates at which attendees knew before that the series parts
 */
public record InvitationChange(
        Trigger trigger,
        @Nullable CalendarEvent before,
        CalendarEvent event,
        @Nullable SeriesDate date,
        @Nullable SeriesDate dateBefore,
        List<Slot> cuts) {
    public InvitationChange {
        cuts = List.copyOf(cuts);
    }

    /** A change of an event, or of a date, that attendees know as one. */
    public static InvitationChange of(Trigger trigger, @Nullable CalendarEvent before, CalendarEvent event) {
        return new InvitationChange(trigger, before, event, null, null, List.of());
    }

    /** What happened. */
    public enum Trigger {
        /** A new event: an invitation. */
        CREATED,
        /** The current invitation is wanted once more. */
        REPEATED,
        /** An event was changed; those who are no attendees any more are told that it is cancelled. */
        CHANGED,
        /** A date, perhaps with those that follow, was changed. */
        DATE_CHANGED,
        /** A date and those that follow were changed. */
        FOLLOWING_CHANGED,
        /** An event was deleted. */
        DELETED,
        /** A date was cancelled. */
        DATE_CANCELLED,
        /** A series ends before a date. */
        SHORTENED,
        /** The inbox answered an invitation. */
        ANSWERED
    }
}
