package dev.inboxd.calendar.content;

import java.util.Locale;

/** Where an event comes from. */
public enum EventSource {
    /** The inbox organizes it. */
    API,
    /** An invitation that was received. */
    EMAIL;

    /** The word in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The source of a stored word. */
    public static EventSource ofWire(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
