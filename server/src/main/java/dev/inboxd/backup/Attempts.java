package dev.inboxd.backup;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Supplier;

/** Tries again what a store did not do for now: a backup of hours is not lost over a moment without network. */
final class Attempts {
    private static final int MOST = 4;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private Attempts() {}

    /**
     * Runs something until it succeeds, four times at most.
     *
     * @param work may be run several times
     */
    static <T> T of(Supplier<T> work) {
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; true; attempt++) {
            try {
                return work.get();
            } catch (Problem away) {
                if (away.code() != ErrorCode.SERVICE_UNAVAILABLE || attempt == MOST) {
                    throw away;
                }
            } catch (UncheckedIOException broken) { // in the middle of what was being read
                if (attempt == MOST) {
                    throw broken;
                }
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            pause = pause.multipliedBy(3);
        }
    }
}
