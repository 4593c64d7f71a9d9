package dev.inboxd.mail.recurrence;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * When an event, or one date of a series, takes place: wall times of a zone as they were asked for.
 *
 * @param allDay whether only the dates count; start and end are at midnight then, and {@code end} is the last day
 * @param start the nominal start, which may lie in a gap
 * @param end the nominal end
 * @param zone the zone
 * @param mode how the length is kept; NOMINAL when allDay
 */
public record EventTime(boolean allDay, LocalDateTime start, LocalDateTime end, ZoneId zone, DurationMode mode) {
    /** The instant of the start: in a gap later by its length, in an overlap the earlier one. */
    public Instant startAt() {
        throw new UnsupportedOperationException();
    }

    /** The instant of the end; of an all-day event the first moment of the day after the last. Never before the start. */
    public Instant endAt() {
        throw new UnsupportedOperationException();
    }

    /** The start as shown: moved when it is in a gap. */
    public LocalDateTime shownStart() {
        throw new UnsupportedOperationException();
    }

    /** The end as shown, the last day of an all-day event. */
    public LocalDateTime shownEnd() {
        throw new UnsupportedOperationException();
    }

    /** Milliseconds between the instants, or days of an all-day event. */
    public long durationValue() {
        throw new UnsupportedOperationException();
    }

    /** The same length from another nominal start, as the mode keeps it. */
    public EventTime at(LocalDateTime newStart) {
        throw new UnsupportedOperationException();
    }
}
