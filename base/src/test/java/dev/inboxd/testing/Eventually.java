package dev.inboxd.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What happens behind an answer: by somebody else's thread, and nobody says when. */
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(2);

    private Eventually() {}

    /** Returns as soon as it is so; fails when it does not come to be. */
    public static void await(BooleanSupplier happened) {
        await(PATIENCE, happened);
    }

    /** The same with another patience. */
    public static void await(Duration patience, BooleanSupplier happened) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!happened.getAsBoolean()) {
            assertThat(System.nanoTime()).as("nothing happened in time").isLessThan(deadline);
            pause();
        }
    }

    /** Leaves the processor to others for a moment before the next look at what somebody else's thread does. */
    public static void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }
}
