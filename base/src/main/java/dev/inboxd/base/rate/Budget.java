package dev.inboxd.base.rate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A node's part of one budget, and its knowledge of the rest. Its own lock guards it. */
final class Budget {
    private final Rate rate;
    private final byte[] bucket;
    private int leased;
    /** When the budget is full again, if everything leased here counts as spent. */
    private Instant fullAt = Instant.EPOCH;

    private Instant emptyUntil = Instant.EPOCH;
    private Instant usedAt = Instant.EPOCH;

    Budget(Rate rate, byte[] bucket) {
        this.rate = rate;
        this.bucket = bucket;
    }

    /** Spends one unit, from this node's lease or from a new one. */
    synchronized BudgetStatus take(Leases leases, Instant now) {
        usedAt = now;
        if (leased == 0 && !isEmpty(now)) {
            learn(leases.take(new LeaseRequest(bucket, rate)), now);
        }
        boolean allowed = leased > 0;
        if (allowed) {
            leased--;
        }
        Duration wait = Duration.between(now, emptyUntil);
        return new BudgetStatus(
                rate, remaining(now), fullAt(now), allowed ? null : wait.isPositive() ? wait : Duration.ofSeconds(1));
    }

    /** Gives a unit back, to this node's lease. */
    synchronized void giveBack() {
        leased++;
    }

    /** Whether the budget is known to be empty now, here and in the database. */
    synchronized boolean isEmpty(Instant now) {
        return leased == 0 && now.isBefore(emptyUntil);
    }

    /** Whether the last request was before this moment. */
    synchronized boolean isIdleSince(Instant moment) {
        return usedAt.isBefore(moment);
    }

    private void learn(LeaseRequest.Lease lease, Instant now) {
        leased += lease.granted();
        fullAt = now.plus(lease.missing(), ChronoUnit.MICROS);
        if (lease.granted() == 0) {
            // The next unit is there as soon as less than the whole burst is missing.
            long micros = lease.missing() - (rate.burst() - 1) * rate.step();
            emptyUntil = now.plus(Math.max(1, micros), ChronoUnit.MICROS);
        }
    }

    private int remaining(Instant now) {
        long missing = Math.max(0, micros(now, fullAt));
        long available = rate.burst() - Math.ceilDiv(missing, rate.step()) + leased;
        return Math.clamp(available, 0, rate.burst());
    }

    private Instant fullAt(Instant now) {
        Instant full = fullAt.minus(leased * rate.step(), ChronoUnit.MICROS);
        return full.isBefore(now) ? now : full;
    }

    private static long micros(Instant from, Instant to) {
        return to.isBefore(from) ? 0 : ChronoUnit.MICROS.between(from, to);
    }
}
