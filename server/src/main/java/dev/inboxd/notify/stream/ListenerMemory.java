package dev.inboxd.notify.stream;

import dev.inboxd.base.memory.HeapShare;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The memory for all listeners of this node: sockets and long polls. The bound keeps the process alive when clients
 * open too many. The cost of each listener was measured (docs/performance.md). Each organization has a small reserve,
 * however much the others hold. Thread-safe.
 */
final class ListenerMemory {
    /** Bytes of an open socket: its connection and its subscription. */
    static final int SOCKET = 6_500;
    /** Bytes of a long poll: its connection, its filter, and its share when many resume at once. */
    static final int WAIT = 10_000;
    /** Bytes that an organization may hold when the shared memory is used up: some thirty long polls. */
    private static final int OWN = 360_000;

    private final long shared;
    private final long room;
    private final Map<UUID, Long> held = new HashMap<>();
    private long used;

    /** A bound of this many bytes. */
    ListenerMemory(long room) {
        this.room = room;
        this.shared = room / 8 * 7;
    }

    /** The bound for this process, a share of the heap. */
    static ListenerMemory ofHeap() {
        return new ListenerMemory(HeapShare.LISTENERS.octets());
    }

    /** Reserves bytes for a listener of an organization; returns false when there is no room. */
    synchronized boolean enter(UUID organization, int octets) {
        long has = held.getOrDefault(organization, 0L);
        boolean fits = used + octets <= (has + octets <= OWN ? room : shared);
        if (fits) {
            used += octets;
            held.put(organization, has + octets);
        }
        return fits;
    }

    /** Returns the bytes of a listener that is gone. */
    synchronized void release(UUID organization, int octets) {
        used -= octets;
        held.merge(organization, (long) -octets, Long::sum);
        held.remove(organization, 0L);
    }
}
