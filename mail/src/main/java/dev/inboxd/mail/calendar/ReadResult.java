package dev.inboxd.mail.calendar;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of reading a part that should be a calendar. */
public sealed interface ReadResult {
    /**
     * A calendar: one event, a series, or dates of a series.
     *
     * @param method what is asked of the receiver in upper case, known or not (RFC 5546 §1.4); null when it says
     *     nothing
     * @param uid the UID of all its events
     * @param events in the order in which they stand; at least one, and at most one without a recurrenceId
     */
    record Calendar(@Nullable String method, String uid, List<ReadEvent> events) implements ReadResult {
        /** Copies the list. */
        public Calendar {
            events = List.copyOf(events);
        }
    }

    /**
     * No calendar, or none that is taken.
     *
     * @param reason a short sentence for a debug log, without a word of the part
     */
    record Refusal(String reason, Kind kind) implements ReadResult {}

    /** Why a calendar is refused, in one word. */
    enum Kind {
        /** It is not written as calendars are, or holds what is not taken. */
        MALFORMED,
        /** It is larger than what is taken. */
        TOO_LARGE,
        /** It names a zone that is not known, and nothing tells the clocks of it. */
        UNKNOWN_ZONE
    }
}
