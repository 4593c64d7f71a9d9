package dev.inboxd.platform.rate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What a node has of one budget, and what it knows of the rest. Its own lock guards it. */
final class Budget {
    private final Rate rate;
    private final byte[] bucket;
    private int leased;
    /** When nothing would be missing, what is leased here counted as spent. */
    private Instant fullAt = Instant.EPOCH;

    private Instant emptyUntil = Instant.EPOCH;
    private Instant usedAt = Instant.EPOCH;

    Budget(Rate rate, byte[] bucket) {
        this.rate = rate;
        this.bucket = bucket;
    }

    /** Spends one, of what is leased here or of a new lease. */
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

    /** Whether it is known that there is nothing now, here or in the database. */
    synchronized boolean isEmpty(Instant now) {
        return leased == 0 && now.isBefore(emptyUntil);
    }

    /** Whether it was last asked so long ago. */
    synchronized boolean isIdleSince(Instant moment) {
        return usedAt.isBefore(moment);
    }

    private void learn(LeaseRequest.Lease lease, Instant now) {
        leased += lease.granted();
        fullAt = now.plus(lease.missing(), ChronoUnit.MICROS);
        if (lease.granted() == 0) {
            // The next is there as soon as one less than the whole is missing.
            long micros = lease.missing() - (rate.burst() - 1) * rate.step();
            emptyUntil = now.plus(Math.max(1, micros), ChronoUnit.MICROS);
        }
    }

    private int remaining(Instant now) {
        long missing = Math.max(0, micros(now, fullAt));
        long there = rate.burst() - Math.ceilDiv(missing, rate.step()) + leased;
        return Math.clamp(there, 0, rate.burst());
    }

    private Instant fullAt(Instant now) {
        Instant full = fullAt.minus(leased * rate.step(), ChronoUnit.MICROS);
        return full.isBefore(now) ? now : full;
    }

    private static long micros(Instant from, Instant to) {
        return to.isBefore(from) ? 0 : ChronoUnit.MICROS.between(from, to);
    }
}
