package dev.inboxd.calendar.content;

import java.time.Instant;

/**
 * How often an event was changed.
 *
 * @param sequence SEQUENCE (RFC 5545 §3.8.7.4): changes that attendees see
 * @param revision changes of the event itself, from 0
 * @param counter changes of single dates
 * @param operation the id of the log's event of the last change
 */
public record EventVersion(
        int sequence, long revision, long counter, String operation, Instant createdAt, Instant updatedAt) {
    /** The version of a new event. */
    public static EventVersion first(String operation, Instant now) {
        return new EventVersion(0, 0, 0, operation, now, now);
    }

    /**
     * The version after a change of the event.
     *
     * @param visible whether attendees see the change
     */
    public EventVersion changed(boolean visible, String by, Instant now) {
        return new EventVersion(visible ? sequence + 1 : sequence, revision + 1, counter, by, createdAt, now);
    }

    /** The version after a change of a date. */
    public EventVersion dateChanged(String by) {
        return new EventVersion(sequence, revision, counter + 1, by, createdAt, updatedAt);
    }

    /** The same with another sequence. */
    public EventVersion sequence(int newSequence) {
        return new EventVersion(newSequence, revision, counter, operation, createdAt, updatedAt);
    }
}
