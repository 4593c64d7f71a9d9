package dev.inboxd.notify.stream;

import dev.inboxd.platform.memory.HeapShare;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The memory that all who listen on this node may take together, so that the process outlives whoever opens too many. What
 * each takes was measured (docs/performance.md). Each organization has a little of its own, whatever the others hold. For
 * many threads.
 */
final class ListenerMemory {
    /** An open socket: its connection and what it listens to. */
    static final int SOCKET = 6_500;
    /** A request that waits: its connection and what it looks for, and what it takes when many wake at once. */
    static final int WAIT = 10_000;
    /** What an organization may take when what is shared is taken: some thirty who wait. */
    private static final int OWN = 360_000;

    private final long shared;
    private final long room;
    private final Map<UUID, Long> held = new HashMap<>();
    private long taken;

    /** A crowd that may take so many octets. */
    ListenerMemory(long room) {
        this.room = room;
        this.shared = room / 8 * 7;
    }

    /** One that leaves the rest of the heap to everybody else. */
    static ListenerMemory ofHeap() {
        return new ListenerMemory(HeapShare.LISTENERS.octets());
    }

    /** Lets somebody of an organization in who takes so much, unless there is no room. */
    synchronized boolean enter(UUID organization, int octets) {
        long has = held.getOrDefault(organization, 0L);
        boolean fits = taken + octets <= (has + octets <= OWN ? room : shared);
        if (fits) {
            taken += octets;
            held.put(organization, has + octets);
        }
        return fits;
    }

    /** Somebody who was let in is gone. */
    synchronized void release(UUID organization, int octets) {
        taken -= octets;
        held.merge(organization, (long) -octets, Long::sum);
        held.remove(organization, 0L);
    }
}
