package dev.inboxd.calendar.content;

import java.util.Locale;

/** The status of an event (RFC 5545 §3.8.1.11). */
public enum EventStatus {
    CONFIRMED,
    TENTATIVE,
    CANCELLED;

    /** The word in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The status of a stored word. */
    public static EventStatus ofWire(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
