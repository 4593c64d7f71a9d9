package dev.inboxd.testing;

import java.lang.ref.Reference;
import java.util.function.Supplier;

/** How much of the heap something keeps. */
public final class HeldMemory {
    private static final Runtime RUNTIME = Runtime.getRuntime();

    private HeldMemory() {}

    /** The octets that are kept by what was made, while it is in use. */
    public static <T extends AutoCloseable> long of(Supplier<T> making) throws Exception {
        long before = used();
        T made = making.get();
        try {
            return used() - before;
        } finally {
            Reference.reachabilityFence(made);
            made.close();
        }
    }

    private static long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, RUNTIME.totalMemory() - RUNTIME.freeMemory());
        }
        return least;
    }
}
