package dev.inboxd.base.database.embedded;

import java.time.Duration;

/**
 * How long a start is retried. Resources of a killed server (a zombie's process id, shared memory, the port) are
 * released within seconds. The minimum number of attempts is for machines so busy that one attempt takes all that
 * time.
 */
final class StartRetry {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int LEAST_ATTEMPTS = 5;

    private final long deadline = System.nanoTime() + LIMIT.toNanos();
    private int failed;

    /**
     * Counts a failed attempt.
     *
     * @return true when it was the last
     */
    boolean endsWithThisFailure() {
        failed++;
        return failed >= LEAST_ATTEMPTS && System.nanoTime() > deadline;
    }
}
