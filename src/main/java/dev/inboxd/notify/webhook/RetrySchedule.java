package dev.inboxd.notify.webhook;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** When a delivery is tried (events.md §2.2, promise P8). */
final class RetrySchedule {
    /** For the whole exchange of one attempt. */
    static final Duration PATIENCE = Duration.ofSeconds(15);
    /** How long nothing but failures lasts until a webhook is disabled. */
    static final Duration FAILING = Duration.ofDays(5);
    /** How long what became of a delivery can still be looked at. */
    static final Duration RETENTION = Duration.ofDays(3);

    /** The most by which a pause grows: one part of so many. */
    static final int JITTER = 10;

    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(10));

    private RetrySchedule() {}

    /**
     * The pause after that attempt with a little more by chance, so that what failed together does not come back
     * together; never less. Null when it was the last.
     */
    static @Nullable Duration jittered(int attempt) {
        Duration pause = after(attempt);
        return pause == null
                ? null
                : pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis() / JITTER + 1));
    }

    /** The pause after that attempt, counted from 1, or null when it was the last. */
    static @Nullable Duration after(int attempt) {
        return attempt > PAUSES.size() ? null : PAUSES.get(attempt - 1);
    }
}
