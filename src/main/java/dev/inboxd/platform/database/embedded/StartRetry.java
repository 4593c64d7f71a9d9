package dev.inboxd.platform.database.embedded;

import java.time.Duration;

/**
 * How long a start is tried again. What a killed server held (a zombie's id, shared memory, the port) is let go of
 * within seconds; the least number of attempts is for machines so busy that one attempt takes all that time.
 */
final class StartRetry {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int LEAST_ATTEMPTS = 5;

    private final long deadline = System.nanoTime() + LIMIT.toNanos();
    private int failed;

    /** Counts a failed attempt; true when it was the last. */
    boolean endsWithThisFailure() {
        failed++;
        return failed >= LEAST_ATTEMPTS && System.nanoTime() > deadline;
    }
}
