package dev.inboxd.mailbox.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Organizations that have changed, in the order of their first change that nobody has taken. Each waits a moment for more
 * of its own changes; when the first is due, those that will be soon go with it. Nobody has an organization twice at a time.
 */
final class IndexQueue {
    private final long gathering;
    private final SequencedMap<UUID, Long> since = new LinkedHashMap<>();
    private final Set<UUID> taken = new HashSet<>();
    private boolean closed;

    /**
     * Nothing has changed yet.
     *
     * @param gathering how long the first change waits for others; those that have waited half as long go with it
     */
    IndexQueue(Duration gathering) {
        this.gathering = gathering.toNanos();
    }

    /** An organization has changed. */
    synchronized void add(UUID organization) {
        if (since.putIfAbsent(organization, System.nanoTime()) == null) {
            notifyAll();
        }
    }

    /**
     * Waits until an organization is due that nobody has.
     *
     * @param most how many are taken together
     * @return the organizations, which are the caller's until {@link #done}; none when this is closed
     */
    synchronized List<UUID> takeDue(int most) throws InterruptedException {
        while (!closed) {
            long now = System.nanoTime();
            List<UUID> soon = new ArrayList<>();
            long left = Long.MAX_VALUE;
            for (Map.Entry<UUID, Long> each : since.entrySet()) {
                long waited = now - each.getValue();
                if (!taken.contains(each.getKey())) {
                    left = Math.min(left, gathering - waited);
                    if (soon.size() == most) {
                        break;
                    }
                    if (waited >= gathering / 2) {
                        soon.add(each.getKey());
                    }
                }
            }
            if (left <= 0) {
                soon.forEach(since::remove);
                taken.addAll(soon);
                return soon;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return List.of();
    }

    /** Takes those that have not changed and that nobody has. */
    synchronized List<UUID> claim(Collection<UUID> organizations) {
        return closed
                ? List.of()
                : organizations.stream()
                        .filter(each -> !since.containsKey(each) && taken.add(each))
                        .toList();
    }

    /**
     * The caller has done what it can for these.
     *
     * @param more those of them that are to be taken again at once
     */
    synchronized void done(Collection<UUID> organizations, Collection<UUID> more) {
        taken.removeAll(Set.copyOf(organizations));
        long due = System.nanoTime() - gathering;
        // Behind all others: those with a long backlog must not keep the mail of the rest from the index.
        more.forEach(organization -> since.putLast(organization, due));
        notifyAll();
    }

    /** Whoever waits goes, and nobody takes anything any more. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
