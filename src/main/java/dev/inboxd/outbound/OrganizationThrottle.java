package dev.inboxd.outbound;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * How much mail each organization may have under way at once on this node, so that one whose hosts are slow takes no
 * place from another: some places are its own whatever the others hold, and of those that all share it holds at most as
 * many as it leaves. For many threads.
 */
final class OrganizationThrottle {
    private static final int SHARED = 256;
    private static final int OWN = 4;
    /** Of all organizations: each place may hold a message in memory. */
    private static final int MOST = 1_024;

    private static final int CROWDED = SHARED / 4;

    private final Map<UUID, Integer> held = new HashMap<>();
    private int total;
    private int shared;

    /** Takes up to so many places for an organization, and tells how many. */
    synchronized int acquire(UUID organization, int wanted) {
        int has = held.getOrDefault(organization, 0);
        int taken = 0;
        while (taken < wanted && mayHaveMore(has + taken)) {
            shared += has + taken < OWN ? 0 : 1;
            total++;
            taken++;
        }
        if (taken > 0) {
            held.put(organization, has + taken);
        }
        return taken;
    }

    private boolean mayHaveMore(int has) {
        return total < MOST && (has < OWN || has - OWN < SHARED - shared);
    }

    /** Gives back as many of an organization's places. */
    synchronized void release(UUID organization, int count) {
        for (int i = 0; i < count; i++) {
            int left = held.getOrDefault(organization, 0) - 1;
            shared -= left < OWN ? 0 : 1;
            total--;
            held.put(organization, left);
        }
        held.remove(organization, 0);
        notifyAll();
    }

    /** The organizations that get no place now. */
    synchronized UUID[] full() {
        return held.entrySet().stream()
                .filter(one -> !mayHaveMore(one.getValue()))
                .map(Map.Entry::getKey)
                .toArray(UUID[]::new);
    }

    /** Whether little is left of what all share. */
    synchronized boolean isCrowded() {
        return SHARED - shared < CROWDED;
    }

    /** Waits until nobody holds a place, so long at most; whether that came about. */
    synchronized boolean awaitEmpty(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        long left = longest.toNanos();
        while (total > 0 && left > 0) {
            wait(left / 1_000_000 + 1);
            left = end - System.nanoTime();
        }
        return total == 0;
    }
}
