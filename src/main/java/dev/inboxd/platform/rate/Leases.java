package dev.inboxd.platform.rate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Takes parts of budgets from the database. One statement is under way at a time; what is asked meanwhile goes with the
 * next one, so that any number of callers costs one connection.
 */
final class Leases {
    private static final int LARGEST_BATCH = 500;

    private final Consumer<List<LeaseRequest>> taking;
    private final Queue<LeaseRequest> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock statement = new ReentrantLock();

    /** Leases by a statement that answers every ask it is given. */
    Leases(Consumer<List<LeaseRequest>> taking) {
        this.taking = taking;
    }

    /** Asks and waits for the answer. No two callers may ask for the same bucket at once. */
    LeaseRequest.Lease take(LeaseRequest ask) {
        waiting.add(ask);
        while (true) {
            statement.lock();
            try {
                if (ask.isAnswered()) {
                    return ask.lease(); // by who had the lock before
                }
                takeForAll();
            } finally {
                statement.unlock();
            }
        }
    }

    private void takeForAll() {
        List<LeaseRequest> asks = new ArrayList<>();
        for (LeaseRequest ask = waiting.poll();
                ask != null;
                ask = asks.size() < LARGEST_BATCH ? waiting.poll() : null) {
            asks.add(ask);
        }
        asks.sort((one, other) -> Arrays.compareUnsigned(one.bucket, other.bucket));
        try {
            taking.accept(asks);
        } catch (RuntimeException failed) {
            asks.forEach(ask -> ask.fail(failed));
        }
    }
}
