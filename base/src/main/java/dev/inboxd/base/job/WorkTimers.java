package dev.inboxd.base.job;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Times at which this node takes up work of an organization: the earliest that is known of each kind. */
final class WorkTimers implements AutoCloseable {
    private final Map<Slot, Long> times = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("due work").factory());

    private record Slot(String kind, UUID organization) {}

    /**
     * Calls once the time has passed, unless an earlier call for the same work is ahead.
     *
     * @param call must not block
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a call begins work on a thread of its own
    void at(Duration wait, String kind, UUID organization, BiConsumer<String, UUID> call) {
        if (!wait.isPositive()) {
            call.accept(kind, organization);
            return;
        }
        Slot slot = new Slot(kind, organization);
        long at = System.nanoTime() + wait.toNanos();
        times.compute(slot, (_, scheduled) -> {
            if (scheduled != null && scheduled - at <= 0) {
                return scheduled;
            }
            clock.schedule(
                    () -> {
                        if (times.remove(slot, at)) {
                            call.accept(kind, organization);
                        }
                    },
                    wait.toNanos(),
                    TimeUnit.NANOSECONDS);
            return at;
        });
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
