package dev.inboxd.mail.recurrence;

/** What stays the same when the offset of the zone changes between start and end, or when an event is moved. */
public enum DurationMode {
    /** The elapsed time: the end is the start's instant and this long after it. */
    EXACT,
    /** The wall time: the end is the start's wall time and this much later on the wall. */
    NOMINAL
}
