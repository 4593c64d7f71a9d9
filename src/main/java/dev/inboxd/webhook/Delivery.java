package dev.inboxd.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event on its way to one webhook, as a lane keeps it while this node has the row's lease.
 *
 * @param seq the event's number
 * @param attempts how many were made before
 * @param payload the bytes at hand, or null when they are to be read from the rows
 * @param startBy {@link System#nanoTime} after which an attempt could outlive the lease and is not begun
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Delivery(UUID organization, String webhook, long seq, int attempts, @Nullable Known payload, long startBy) {
    /** How long a row belongs to the node that claims it. */
    static final Duration LEASE = Duration.ofSeconds(60);
    /** What an attempt takes at most, and its settlement. */
    private static final Duration WORST = Schedule.PATIENCE.plusSeconds(4);

    /**
     * What the committing thread knew.
     *
     * @param eventId the event's public id
     * @param at the event's time
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Known(byte[] content, String eventId, Instant at) {}

    /** The last moment to begin an attempt under a lease that begins now. */
    static long startBy(Duration lease) {
        return System.nanoTime() + lease.minus(WORST).toNanos();
    }

    boolean isLate() {
        return System.nanoTime() - startBy > 0;
    }

    /** The same without the payload at hand. */
    Delivery light() {
        return new Delivery(organization, webhook, seq, attempts, null, startBy);
    }

    /** How much memory its payload takes while it waits; what is left beside it is bounded by number. */
    int bytes() {
        return payload == null ? 0 : payload.content.length;
    }
}
