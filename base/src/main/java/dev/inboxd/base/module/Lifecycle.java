package dev.inboxd.base.module;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the service in the order of {@link Phase} and stops it in the reverse order. Within a phase, the order is that
 * of registration, and its reverse.
 */
public final class Lifecycle implements AutoCloseable {
    /** How long work that was begun may take to finish when the service stops. */
    public static final Duration DRAIN = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private final List<StartStep> starts = new ArrayList<>();
    private final List<StopStep> stops = new ArrayList<>();

    /** When something is started, and when it is stopped. */
    public enum Phase {
        /** The database and the blobs. They are open before the start, and everything else stops before they close. */
        STORES,
        /** Leases that the last process left are freed before any work is claimed. */
        RECOVERY,
        /** What all that follows uses or feeds: notifications, HTTP to the outside, the index, counts. */
        SHARED,
        /** Workers in the background, and the row of this node that their leases name. */
        WORKERS,
        /** Jobs and periodic tasks, which use the workers. */
        JOBS,
        /**
         * What takes mail and requests and what sends mail. These stop side by side, since each of them may need the
         * whole of {@link #DRAIN}.
         */
        TRAFFIC,
        /** Requests that wait for an event. They are answered first, because a server that drains waits for them. */
        WAITS
    }

    /** A start, which may fail. */
    @FunctionalInterface
    public interface Start {
        /**
         * Starts something.
         *
         * @throws IOException when it cannot run, which ends the start of the service
         */
        void run() throws IOException;
    }

    private record StartStep(Phase phase, Start start) {}

    private record StopStep(Phase phase, Runnable stop) {}

    /** Registers something that is started and stopped in one phase. */
    public void add(Phase phase, Start start, Runnable stop) {
        onStart(phase, start);
        onStop(phase, stop);
    }

    /** Registers something that is started in this phase. */
    public void onStart(Phase phase, Start start) {
        starts.add(new StartStep(phase, start));
    }

    /** Registers something that is stopped in this phase. */
    public void onStop(Phase phase, Runnable stop) {
        stops.add(new StopStep(phase, stop));
    }

    /** Starts everything. The first failure ends the start; what runs by then is left to the end of the process. */
    public void start() throws IOException {
        for (Phase phase : Phase.values()) {
            for (StartStep step : starts) {
                if (step.phase == phase) {
                    step.start.run();
                }
            }
        }
    }

    /** Stops everything. A step that fails is logged and the next one follows. */
    @Override
    public void close() {
        for (Phase phase : List.of(Phase.values()).reversed()) {
            List<Runnable> steps = stops.reversed().stream()
                    .filter(step -> step.phase == phase)
                    .map(step -> guarded(phase, step.stop))
                    .toList();
            if (phase == Phase.TRAFFIC) {
                runSideBySide(steps);
            } else {
                steps.forEach(Runnable::run);
            }
        }
    }

    private static Runnable guarded(Phase phase, Runnable stop) {
        return () -> {
            try {
                stop.run();
            } catch (RuntimeException | Error failure) {
                LOG.error("A step of the stop failed in the phase {}; the next one follows", phase, failure);
            }
        };
    }

    private static void runSideBySide(List<Runnable> steps) {
        List<Thread> threads = steps.stream().map(Thread::startVirtualThread).toList();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
