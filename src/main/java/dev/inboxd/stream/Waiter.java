package dev.inboxd.stream;

import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** A request that waits for something to happen: a few words of memory and a parked virtual thread, the one that makes it. */
final class Waiter implements Listener {
    /** Whether it is to look; guarded by its bell. */
    boolean hasTurn;
    private final UUID organization;
    private final Wish wish;
    private final Bell bell;
    private final Thread thread = Thread.currentThread();

    Waiter(UUID organization, Wish wish, Bell bell) {
        this.organization = organization;
        this.wish = wish;
        this.bell = bell;
    }

    @Override
    public boolean wants(Happening.Entry entry) {
        return wish.wants(organization, entry);
    }

    void ring() {
        bell.ring(this);
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    /**
     * Waits for a turn to look: because something happened that it wants, since the last time, or because it is then of
     * {@link System#nanoTime}. The turn ends with {@link Bell#done}.
     */
    void await(long until) throws InterruptedException {
        boolean late = false;
        while (!bell.begin(this)) {
            long left = until - System.nanoTime();
            if (left <= 0 && !late) {
                late = true;
                ring();
            } else if (late) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, left);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
