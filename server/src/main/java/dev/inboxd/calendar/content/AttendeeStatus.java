package dev.inboxd.calendar.content;

import java.util.Locale;

/** What an attendee answered (RFC 5545 §3.2.12). */
public enum AttendeeStatus {
    NEEDS_ACTION,
    ACCEPTED,
    DECLINED,
    TENTATIVE;

    /** The word in JSON. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The status of a stored word. */
    static AttendeeStatus ofWire(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
