package dev.inboxd.stream;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Wakes those who were rung a few at a time, in their turn. The others sleep on: ten thousand that woke to wait for the
 * database would take more memory than while they slept, and most connections to it. For many threads.
 */
final class Bell {
    private final int most;
    private final Set<Waiter> rung = new LinkedHashSet<>();
    private int looking;

    /** A bell that lets so many look at a time. */
    Bell(int most) {
        this.most = most;
    }

    /** Something may have happened for it: it gets a turn, unless it has one that it has not begun. */
    synchronized void ring(Waiter waiter) {
        if (!waiter.hasTurn) {
            rung.add(waiter);
            next();
        }
    }

    /** Begins the turn of a waiter if it has one; to be ended by {@link #done}. */
    synchronized boolean begin(Waiter waiter) {
        boolean begins = waiter.hasTurn;
        waiter.hasTurn = false;
        return begins;
    }

    /** A turn is over. */
    synchronized void done() {
        looking--;
        next();
    }

    /** It waits no more; a turn that it has not begun is another's. */
    synchronized void leave(Waiter waiter) {
        rung.remove(waiter);
        if (begin(waiter)) {
            done();
        }
    }

    private void next() {
        while (looking < most && !rung.isEmpty()) {
            Waiter first = rung.iterator().next();
            rung.remove(first);
            looking++;
            first.hasTurn = true;
            first.wake();
        }
    }
}
