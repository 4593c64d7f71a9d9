package dev.inboxd.calendar.event;

import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.SeriesDate;
import org.jspecify.annotations.Nullable;

/**
 * A change that attendees, or the organizer, are to be told of (calendar.md §7).
 *
 * @param before the event before the change; null for a new one
 * @param event the event after the change, or as it was when it was deleted; its mail state names those who were
 *     invited before
 * @param date the date that the change is about, after it; null for the event itself
 * @param dateBefore the date before the change; null for the event itself
 */
public record InvitationChange(
        Trigger trigger,
        @Nullable CalendarEvent before,
        CalendarEvent event,
        @Nullable SeriesDate date,
        @Nullable SeriesDate dateBefore) {
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
