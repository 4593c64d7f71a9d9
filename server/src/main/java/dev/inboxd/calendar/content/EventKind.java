package dev.inboxd.calendar.content;

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
