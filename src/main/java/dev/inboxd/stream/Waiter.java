package dev.inboxd.stream;

import java.util.UUID;

/** A request that waits for something to happen: a few words of memory and a parked virtual thread. */
final class Waiter implements Listener {
    private final UUID organization;
    private final Wish wish;
    private boolean rung;

    Waiter(UUID organization, Wish wish) {
        this.organization = organization;
        this.wish = wish;
    }

    @Override
    public boolean wants(Happening.Entry entry) {
        return wish.wants(organization, entry);
    }

    synchronized void ring() {
        rung = true;
        notifyAll();
    }

    /** Waits until something happened that it wants, since the last time, or until then of {@link System#nanoTime}. */
    synchronized void await(long until) throws InterruptedException {
        long left = until - System.nanoTime();
        while (!rung && left > 0) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
            left = until - System.nanoTime();
        }
        rung = false;
    }
}
