package dev.inboxd.calendar.content;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A class of the time between the first start and the last end of an event. The events of a class that can overlap a
 * window began not long before it, so that few others are looked at.
 */
public enum EventSpan {
    DAY(0, Duration.ofHours(26)),
    MONTH(1, Duration.ofDays(33)),
    YEAR(2, Duration.ofDays(370)),
    /** Longer, or without an end. */
    LONG(3, null);

    /** What instants may have moved by since they were computed: rules of zones change. */
    public static final Duration DRIFT = Duration.ofHours(26);

    private static final Instant EVER = Instant.parse("0001-01-01T00:00:00Z");

    private final int number;
    private final @Nullable Duration most;

    EventSpan(int number, @Nullable Duration most) {
        this.number = number;
        this.most = most;
    }

    /** The number in rows. */
    public int number() {
        return number;
    }

    /**
     * The span that holds an event from its first start to its last end.
     *
     * @param lastEnd null when there is none
     */
    public static EventSpan of(Instant firstStart, @Nullable Instant lastEnd) {
        for (EventSpan span : values()) {
            if (lastEnd != null && span.most != null && !lastEnd.isAfter(firstStart.plus(span.most))) {
                return span;
            }
        }
        return LONG;
    }

    /** The earliest first start of an event of this class that can reach into a window. */
    public Instant earliest(Instant after) {
        return most == null ? EVER : after.minus(most).minus(DRIFT);
    }
}
