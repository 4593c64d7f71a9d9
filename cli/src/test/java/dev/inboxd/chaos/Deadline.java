package dev.inboxd.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what others do, in programs that have no library for tests. */
final class Deadline {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Duration PAUSE = Duration.ofMillis(2);

    private Deadline() {}

    /**
     * Returns as soon as it is so.
     *
     * @param what it is, for the message when it does not come to be
     */
    static void await(String what, BooleanSupplier happened) {
        if (!isMet(LIMIT, happened)) {
            throw new IllegalStateException("It does not come to be that " + what);
        }
    }

    /** Whether it comes to be within that time. */
    static boolean isMet(Duration limit, BooleanSupplier happened) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }
}
