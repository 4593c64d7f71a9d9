package dev.inboxd.mailbox.search.index;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The organizations with changes that are not indexed, in the order of their first change. Each waits a moment for more
 * changes; when the first is due, those that are due soon are taken together with it. An organization is never taken by
 * two workers at a time.
 */
final class IndexQueue {
    private final long delay;
    private final SequencedMap<UUID, Long> since = new LinkedHashMap<>();
    /** Those that a worker holds, with the time of their first change as far as it is known. */
    private final Map<UUID, Long> held = new HashMap<>();

    private boolean closed;

    /**
     * An empty queue.
     *
     * @param delay how long the first change waits for more; organizations that have waited half of it are taken as
     *     well
     */
    IndexQueue(Duration delay) {
        this.delay = delay.toNanos();
    }

    /** Adds an organization with a change. */
    synchronized void add(UUID organization) {
        if (since.putIfAbsent(organization, System.nanoTime()) == null) {
            notifyAll();
        }
    }

    /**
     * Waits until an organization is due that no worker has taken.
     *
     * @param most the largest number taken together
     * @return the organizations, held by the caller until {@link #done}; empty when the queue is closed
     */
    synchronized List<UUID> takeDue(int most) throws InterruptedException {
        while (!closed) {
            long now = System.nanoTime();
            List<UUID> soon = new ArrayList<>();
            long left = Long.MAX_VALUE;
            for (Map.Entry<UUID, Long> entry : since.entrySet()) {
                long waited = now - entry.getValue();
                if (!held.containsKey(entry.getKey())) {
                    left = Math.min(left, delay - waited);
                    if (soon.size() == most) {
                        break;
                    }
                    if (waited >= delay / 2) {
                        soon.add(entry.getKey());
                    }
                }
            }
            if (left <= 0) {
                soon.forEach(organization ->
                        held.put(organization, Objects.requireNonNullElse(since.remove(organization), now)));
                return soon;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return List.of();
    }

    /** How long the oldest change has waited, in nanoseconds; 0 when there is none. */
    synchronized long age() {
        long now = System.nanoTime();
        return Stream.concat(since.values().stream(), held.values().stream())
                .mapToLong(at -> now - at)
                .max()
                .orElse(0);
    }

    /** Number of organizations with changes that are not indexed. */
    synchronized int size() {
        return since.size() + held.size();
    }

    /** Takes those of the organizations that are not in the queue and not taken. */
    synchronized List<UUID> claim(Collection<UUID> organizations) {
        long now = System.nanoTime();
        return closed
                ? List.of()
                : organizations.stream()
                        .filter(organization ->
                                !since.containsKey(organization) && held.putIfAbsent(organization, now) == null)
                        .toList();
    }

    /**
     * Gives organizations back.
     *
     * @param more those with more changes, due at once
     */
    synchronized void done(Collection<UUID> organizations, Collection<UUID> more) {
        organizations.forEach(held::remove);
        long due = System.nanoTime() - delay;
        // At the end of the queue: an organization with a long backlog must not delay the others.
        more.forEach(organization -> since.putLast(organization, due));
        notifyAll();
    }

    /** Wakes all waiting workers; nothing can be taken any more. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
