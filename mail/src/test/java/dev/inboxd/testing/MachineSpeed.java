package dev.inboxd.testing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How fast this machine is at the moment. Limits of processor time are for two cores of a present server; a machine
 * that others use as well, or an old one, takes longer for everything, and for a fixed piece of work too.
 */
public final class MachineSpeed {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int WORDS = 100_000;
    /** What the work takes of such a core, once it is compiled. */
    private static final long USUAL_NANOS = 50_000_000L;

    private static final int TRIES = 5;
    private static final double MOST = 4;

    private MachineSpeed() {}

    /**
     * How many times longer than usual the processor needs now, from 1 to {@value #MOST}: no machine is slower than
     * that.
     */
    public static double slowness() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long before = THREADS.getCurrentThreadCpuTime();
            sort();
            least = Math.min(least, THREADS.getCurrentThreadCpuTime() - before);
        }
        return Math.clamp((double) least / USUAL_NANOS, 1, MOST);
    }

    /** Objects, memory and branches, as reading mail has them; always the same. */
    private static void sort() {
        SplittableRandom random = new SplittableRandom(1);
        String[] words = new String[WORDS];
        for (int i = 0; i < WORDS; i++) {
            words[i] = Long.toString(random.nextLong(), Character.MAX_RADIX);
        }
        Arrays.sort(words);
        if (words[0].compareTo(words[WORDS - 1]) > 0) {
            throw new IllegalStateException("not sorted");
        }
    }
}
