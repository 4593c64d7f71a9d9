package dev.inboxd.stream;

/**
 * The memory that all who listen on this node may take together, so that the process outlives whoever opens too many. What
 * each takes was measured (docs/performance.md). For many threads.
 */
final class Crowd {
    /** An open socket: its connection and what it listens to. */
    static final int SOCKET = 6_500;
    /** A request that waits: its connection and a parked thread with its stack. */
    static final int WAIT = 11_500;

    private final long room;
    private long taken;

    /** A crowd that may take so many octets. */
    Crowd(long room) {
        this.room = room;
    }

    /** One that leaves the rest of the heap to everybody else. */
    static Crowd ofHeap() {
        return new Crowd(Runtime.getRuntime().maxMemory() / 8 * 5);
    }

    /** Lets somebody in who takes so much, unless there is no room. */
    synchronized boolean enter(int octets) {
        boolean fits = taken + octets <= room;
        taken += fits ? octets : 0;
        return fits;
    }

    /** Somebody who was let in is gone. */
    synchronized void leave(int octets) {
        taken -= octets;
    }
}
