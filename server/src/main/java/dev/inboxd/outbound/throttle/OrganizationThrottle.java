package dev.inboxd.outbound.throttle;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Limits the deliveries in progress of each organization on this node, so that one with slow destinations does not slow
 * the others: a few permits belong to each organization, and of the shared permits an organization holds at most as
 * many as it leaves. Safe for concurrent use.
 */
public final class OrganizationThrottle {
    private static final int SHARED_PERMITS = 256;
    private static final int OWN_PERMITS = 4;
    /** Permits of all organizations together: each delivery may hold a message in memory. */
    private static final int TOTAL = 1_024;

    private static final int CROWDED = SHARED_PERMITS / 4;

    private final Map<UUID, Integer> held = new HashMap<>();
    private int total;
    private int shared;

    /**
     * Takes permits for an organization, at most as many as wanted.
     *
     * @return number of permits taken
     */
    public synchronized int acquire(UUID organization, int permits) {
        int has = held.getOrDefault(organization, 0);
        int acquired = 0;
        while (acquired < permits && mayHaveMore(has + acquired)) {
            shared += has + acquired < OWN_PERMITS ? 0 : 1;
            total++;
            acquired++;
        }
        if (acquired > 0) {
            held.put(organization, has + acquired);
        }
        return acquired;
    }

    private boolean mayHaveMore(int has) {
        return total < TOTAL && (has < OWN_PERMITS || has - OWN_PERMITS < SHARED_PERMITS - shared);
    }

    /** Returns permits of an organization. */
    public synchronized void release(UUID organization, int count) {
        for (int i = 0; i < count; i++) {
            int left = held.getOrDefault(organization, 0) - 1;
            shared -= left < OWN_PERMITS ? 0 : 1;
            total--;
            held.put(organization, left);
        }
        held.remove(organization, 0);
        notifyAll();
    }

    /** Whether less than a quarter of the shared permits is free. */
    public synchronized boolean isCrowded() {
        return SHARED_PERMITS - shared < CROWDED;
    }

    /**
     * Waits until no permit is held.
     *
     * @param longest maximum wait
     * @return whether that happened in time
     */
    public synchronized boolean awaitEmpty(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long left = longest.toNanos();
        while (total > 0 && left > 0) {
            wait(left / 1_000_000 + 1);
            left = end - System.nanoTime();
        }
        return total == 0;
    }
}
