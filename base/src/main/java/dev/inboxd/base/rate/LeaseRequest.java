package dev.inboxd.base.rate;

import org.jspecify.annotations.Nullable;

/** A node's request to the database for a lease of one budget, and the answer. */
final class LeaseRequest {
    final byte[] bucket;
    final Rate rate;
    private @Nullable Lease lease;
    private @Nullable RuntimeException failure;

    LeaseRequest(byte[] bucket, Rate rate) {
        this.bucket = bucket;
        this.rate = rate;
    }

    /**
     * A lease.
     *
     * @param granted units granted, at most as many as requested
     * @param missing microseconds until the budget is full, with the granted units counted as spent
     */
    record Lease(int granted, long missing) {}

    boolean isAnswered() {
        return lease != null || failure != null;
    }

    void complete(Lease granted) {
        lease = granted;
    }

    void fail(RuntimeException why) {
        failure = why;
    }

    /** The lease; throws when it was not granted. */
    Lease lease() {
        if (lease == null) {
            throw failure != null ? failure : new IllegalStateException("the database returned no row for this budget");
        }
        return lease;
    }
}
