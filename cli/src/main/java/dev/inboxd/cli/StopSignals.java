package dev.inboxd.cli;

import dev.inboxd.base.log.LogLine;
import java.util.Arrays;
import java.util.Objects;

/**
 * The signals that stop the process. The first one begins the stop. The JVM runs its shutdown once and passes over
 * further signals; but it starts a thread for each, which waits for the shutdown, and by that thread the next signal is
 * noticed.
 */
final class StopSignals {
    private static final long POLL_MILLIS = 100;

    /** The DNS library ends its own thread at the beginning of a stop unless this is false; mail is checked longer. */
    private static final String DNS_HOOK = "dnsjava.nio.register_shutdown_hook";

    private StopSignals() {}

    /** Keeps what a library would stop by itself; called before anything is used. */
    static void leaveTheStopToUs() {
        System.setProperty(DNS_HOOK, "false");
    }

    /** Ends the process at once when another signal comes. What was committed is safe, and the rest is in its rows. */
    static void endOnNext() {
        int first = Math.min(1, signals());
        Thread.ofPlatform().daemon().name("stop-signals").start(() -> {
            while (signals() <= first) {
                try {
                    Thread.sleep(POLL_MILLIS);
                } catch (InterruptedException stopped) {
                    return;
                }
            }
            LogLine.of("stop_at_once").write();
            Runtime.getRuntime().halt(1);
        });
    }

    private static int signals() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread[] threads = new Thread[group.activeCount() + 64];
        int count = group.enumerate(threads);
        return (int) Arrays.stream(threads, 0, count)
                .filter(Objects::nonNull)
                .map(Thread::getName)
                .filter(name -> name.startsWith("SIG") && name.endsWith(" handler"))
                .count();
    }
}
