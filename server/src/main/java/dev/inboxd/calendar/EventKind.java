package dev.inboxd.calendar;

import java.util.Locale;

/** The kinds of events (calendar.md §1). */
public enum EventKind {
    /** It takes place once. */
    SINGLE,
    /** It has a recurrence. */
    SERIES,
    /** One date of a series. */
    INSTANCE;

    /** The word in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
