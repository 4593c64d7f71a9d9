package dev.inboxd.base.rate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Leases parts of budgets from the database. One statement runs at a time; requests that arrive meanwhile share the
 * next one, so that any number of callers costs one connection.
 */
final class Leases {
    private static final int LARGEST_BATCH = 500;

    private final Consumer<List<LeaseRequest>> taking;
    private final Queue<LeaseRequest> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock statement = new ReentrantLock();

    /** @param taking the statement, which answers every request of its list */
    Leases(Consumer<List<LeaseRequest>> taking) {
        this.taking = taking;
    }

    /** Requests a lease and waits for the answer. No two callers may request the same budget at once. */
    LeaseRequest.Lease take(LeaseRequest ask) {
        waiting.add(ask);
        while (true) {
            statement.lock();
            try {
                if (ask.isAnswered()) {
                    return ask.lease(); // the previous holder of the lock has answered it
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
        asks.sort((left, right) -> Arrays.compareUnsigned(left.bucket, right.bucket));
        try {
            taking.accept(asks);
        } catch (RuntimeException failed) {
            asks.forEach(ask -> ask.fail(failed));
        }
    }
}
