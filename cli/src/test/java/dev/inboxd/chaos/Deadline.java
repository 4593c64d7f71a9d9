package dev.inboxd.chaos;

import dev.inboxd.testing.Eventually;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what others do, and says what it waited for. */
final class Deadline {
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private Deadline() {}

    /**
     * Returns as soon as it is so.
     *
     * @param what it is, for the message when it does not come to be
     */
    static void await(String what, BooleanSupplier happened) {
        if (!Eventually.isMet(LIMIT, happened)) {
            throw new IllegalStateException("It does not come to be that " + what);
        }
    }
}
