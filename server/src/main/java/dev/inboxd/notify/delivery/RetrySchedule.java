package dev.inboxd.notify.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The retry schedule of deliveries (events.md §2.2, promise P8). */
public final class RetrySchedule {
    /** Timeout of the whole exchange of one attempt. */
    static final Duration PATIENCE = Duration.ofSeconds(15);
    /** A webhook is disabled after only failures for this long. */
    static final Duration FAILING = Duration.ofDays(5);
    /** How long the delivery log is kept. */
    public static final Duration RETENTION = Duration.ofDays(3);

    /** A pause is lengthened by at most one tenth of itself. */
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
     * The pause after an attempt, lengthened at random so that deliveries that failed together are not repeated
     * together; never shorter than the schedule. Null after the last attempt.
     */
    static @Nullable Duration jittered(int attempt) {
        Duration pause = after(attempt);
        return pause == null
                ? null
                : pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis() / JITTER + 1));
    }

    /** The pause after an attempt, without jitter. The attempt is counted from 1. Null after the last attempt. */
    static @Nullable Duration after(int attempt) {
        return attempt > PAUSES.size() ? null : PAUSES.get(attempt - 1);
    }
}
