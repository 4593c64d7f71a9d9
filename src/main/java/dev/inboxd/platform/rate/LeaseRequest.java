package dev.inboxd.platform.rate;

import org.jspecify.annotations.Nullable;

/** What a node asks of the database for one budget, and the answer. */
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
     * What was given.
     *
     * @param granted so much, and no more than was asked
     * @param missing microseconds until the budget is full, what was granted included
     */
    record Lease(int granted, long missing) {}

    boolean isAnswered() {
        return lease != null || failure != null;
    }

    void complete(Lease given) {
        lease = given;
    }

    void fail(RuntimeException why) {
        failure = why;
    }

    /** The lease; throws what kept it from being given. */
    Lease lease() {
        if (lease == null) {
            throw failure != null ? failure : new IllegalStateException("the database said nothing of this budget");
        }
        return lease;
    }
}
