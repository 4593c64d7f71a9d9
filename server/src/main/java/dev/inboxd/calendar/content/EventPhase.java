package dev.inboxd.calendar.content;

import dev.inboxd.mail.recurrence.EventTime;
import java.time.Duration;
import java.time.Instant;

/** Where a single event or a date stands now (calendar.md §5). */
public enum EventPhase {
    BEFORE,
    /** Its start has come and was not told yet. */
    STARTING,
    RUNNING,
    ENDED;

    private static final Duration TOLD_WITHIN = Duration.ofSeconds(5);

    /**
     * The phase of an event at a moment.
     *
     * @param startTold whether its start was told
     */
    public static EventPhase of(EventTime time, boolean startTold, Instant now) {
        Instant start = time.startAt();
        if (now.isBefore(start)) {
            return BEFORE;
        }
        if (!startTold && now.isBefore(start.plus(TOLD_WITHIN))) {
            return STARTING;
        }
        return now.isBefore(time.endAt()) ? RUNNING : ENDED;
    }
}
