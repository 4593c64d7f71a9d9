package dev.inboxd.webhook;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When a delivery is tried (spec, "Delivery, retry and ordering rules"; promise P8). */
final class Schedule {
    /** For the whole exchange of one attempt. */
    static final Duration PATIENCE = Duration.ofSeconds(15);
    /** How long nothing but failures lasts until a webhook is disabled. */
    static final Duration FAILING = Duration.ofDays(5);
    /** How long a delivery that was given up can still be looked at. */
    static final Duration KEPT = Duration.ofDays(3);

    private static final List<Duration> PAUSES = List.of(Duration.ofSeconds(5), Duration.ofMinutes(5),
            Duration.ofMinutes(30), Duration.ofHours(2), Duration.ofHours(5), Duration.ofHours(10),
            Duration.ofHours(10));

    private Schedule() {}

    /** The pause after that attempt, counted from 1, or null when it was the last. */
    static @Nullable Duration after(int attempt) {
        return attempt > PAUSES.size() ? null : PAUSES.get(attempt - 1);
    }
}
