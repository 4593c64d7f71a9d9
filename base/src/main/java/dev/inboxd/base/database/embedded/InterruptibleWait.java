package dev.inboxd.base.database.embedded;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits that turn an interrupt into an {@link EmbeddedPostgresException} and keep the thread's interrupt flag. */
final class InterruptibleWait {
    private InterruptibleWait() {}

    static int forExit(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** True when the process has ended within the time. */
    static boolean forExit(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static void pause(Duration moment) {
        try {
            Thread.sleep(moment);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static EmbeddedPostgresException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new EmbeddedPostgresException("Interrupted while waiting for PostgreSQL", e);
    }
}
