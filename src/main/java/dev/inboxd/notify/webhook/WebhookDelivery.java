package dev.inboxd.notify.webhook;

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
 * @param alone whether they are to be read without those of others: too large, or in vain once
 * @param startBy {@link System#nanoTime} after which an attempt could outlive the lease and is not begun
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record WebhookDelivery(
        UUID organization,
        String webhook,
        long seq,
        int attempts,
        @Nullable EventContent payload,
        boolean alone,
        long startBy) {
    /** How long a row belongs to the node that claims it. */
    static final Duration LEASE = Duration.ofSeconds(60);
    /** What an attempt takes at most, and its settlement. */
    private static final Duration WORST = RetrySchedule.PATIENCE.plusSeconds(4);

    /** How long a payload is posted without another look at the rows: it may be deleted, or called off. */
    static final Duration HELD = Duration.ofSeconds(1);

    /**
     * What is posted.
     *
     * @param eventId the event's public id
     * @param at the event's time
     * @param read from which rows
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record EventContent(byte[] content, String eventId, Instant at, RowSnapshot read) {
        boolean isStored() {
            return read.stored;
        }

        private boolean isStale(Instant now) {
            return now.isBefore(read.at) || now.isAfter(read.at.plus(HELD));
        }
    }

    /**
     * A look at the rows.
     *
     * @param at when it began
     * @param stored whether the delivery's own row has the bytes, of an attempt that failed
     * @param written whether nobody read it: the committing thread knew what it wrote
     */
    record RowSnapshot(Instant at, boolean stored, boolean written) {
        RowSnapshot(Instant at, boolean stored) {
            this(at, stored, false);
        }
    }

    /** The last moment to begin an attempt under a lease that begins now. */
    static long startBy(Duration lease) {
        return System.nanoTime() + lease.minus(WORST).toNanos();
    }

    boolean isLate() {
        return System.nanoTime() - startBy > 0;
    }

    /** Whether it can be attempted without a look at the rows. */
    boolean isReady(Instant now) {
        return payload != null && !payload.isStale(now);
    }

    /** The same with the payload at hand. */
    WebhookDelivery with(EventContent read) {
        return new WebhookDelivery(organization, webhook, seq, attempts, read, alone, startBy);
    }

    /** The same without the payload at hand. */
    WebhookDelivery light() {
        return new WebhookDelivery(organization, webhook, seq, attempts, null, alone, startBy);
    }

    /** The same to be read: what was written here needs no more than a look whether it is still there. */
    WebhookDelivery unread() {
        return payload != null && payload.read.written ? this : light();
    }

    /** The same to be read by itself. */
    WebhookDelivery apart() {
        return new WebhookDelivery(organization, webhook, seq, attempts, null, true, startBy);
    }

    /** How much memory its payload takes while it waits; what is left beside it is bounded by number. */
    int bytes() {
        return payload == null ? 0 : payload.content.length;
    }
}
