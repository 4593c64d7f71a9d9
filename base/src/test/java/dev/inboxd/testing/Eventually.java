package dev.inboxd.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for what another thread or process does. No other loop of the tests looks again and again until a deadline
 * ({@code WaitsTest}). It needs no library, so that the programs of the suites can use it.
 */
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long SHORTEST_PAUSE = Duration.ofMillis(2).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(250).toNanos();
    /** A pause is this part of what was waited so far: what takes long may be seen later. */
    private static final int PART = 20;

    private Eventually() {}

    /** Returns as soon as it is so; fails when that takes longer than half a minute. */
    public static void await(BooleanSupplier happened) {
        await(PATIENCE, happened);
    }

    /** Returns as soon as it is so; fails when that takes longer. */
    public static void await(Duration patience, BooleanSupplier happened) {
        if (!isMet(patience, happened)) {
            throw new AssertionError("nothing happened within " + patience);
        }
    }

    /** The first value that is as wanted; fails with the last one after half a minute. */
    public static <T extends @Nullable Object> T value(Supplier<T> look, Predicate<T> wanted) {
        return value(PATIENCE, look, wanted);
    }

    /** The first value that is as wanted; fails with the last one after that time. */
    public static <T extends @Nullable Object> T value(Duration patience, Supplier<T> look, Predicate<T> wanted) {
        long began = System.nanoTime();
        T seen = look.get();
        while (!wanted.test(seen)) {
            if (!pause(began, patience)) {
                throw new AssertionError("after " + patience + " it is still " + seen);
            }
            seen = look.get();
        }
        return seen;
    }

    /** Whether it comes to be within that time. */
    public static boolean isMet(Duration patience, BooleanSupplier happened) {
        long began = System.nanoTime();
        while (!happened.getAsBoolean()) {
            if (!pause(began, patience)) {
                return false;
            }
        }
        return true;
    }

    /** Leaves the processor to others before the next look; false when the time is over. */
    private static boolean pause(long began, Duration patience) {
        long waited = System.nanoTime() - began;
        LockSupport.parkNanos(Math.clamp(waited / PART, SHORTEST_PAUSE, LONGEST_PAUSE));
        return waited <= patience.toNanos();
    }
}
