package dev.inboxd.sending.idempotency;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The claims whose requests this process is at, by their numbers. */
final class RunningClaims {
    private final Set<Long> fences = ConcurrentHashMap.newKeySet();

    void begin(long fence) {
        fences.add(fence);
    }

    void end(long fence) {
        fences.remove(fence);
    }

    boolean contains(long fence) {
        return fences.contains(fence);
    }
}
