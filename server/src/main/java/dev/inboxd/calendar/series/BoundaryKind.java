package dev.inboxd.calendar.series;

import java.util.Locale;

/** The two moments of a date that are told (calendar.md §8). */
public enum BoundaryKind {
    STARTING,
    ENDING;

    /** The word in rows. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
