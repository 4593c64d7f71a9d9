package dev.inboxd.notify.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of one event to one webhook, as an endpoint queue holds it while this node has the lease of its row.
 *
 * @param seq the sequence number of the event
 * @param attempts the number of earlier attempts
 * @param payload the payload, or null when it must be read from the row
 * @param alone whether the payload must be read by itself: it is too large, or reading it with others failed
 * @param startBy the {@link System#nanoTime} after which no attempt starts, since it could outlive the lease
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
    /** The lease of a row that a node claims. */
    static final Duration LEASE = Duration.ofSeconds(60);
    /** The longest time from the start of an attempt to the commit of its result. */
    private static final Duration WORST = RetrySchedule.PATIENCE.plusSeconds(4);

    /**
     * How long a payload is posted without another look at its row: the message may be deleted meanwhile, or the
     * delivery cancelled.
     */
    static final Duration HELD = Duration.ofSeconds(1);

    /**
     * The payload of an event.
     *
     * @param eventId the event's public id
     * @param at the time of the event
     * @param read the state of the rows it was read from
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
     * The state of the rows when a payload was read.
     *
     * @param at when the read began
     * @param stored whether the delivery's row has the payload that a failed attempt posted
     * @param written whether the payload was rendered from memory after the commit, without reading the rows
     */
    record RowSnapshot(Instant at, boolean stored, boolean written) {
        RowSnapshot(Instant at, boolean stored) {
            this(at, stored, false);
        }
    }

    /** The last {@link System#nanoTime} to start an attempt when the lease begins now. */
    static long startBy(Duration lease) {
        return System.nanoTime() + lease.minus(WORST).toNanos();
    }

    boolean isLate() {
        return System.nanoTime() - startBy > 0;
    }

    /** Whether it can be attempted without a look at its row. */
    boolean isReady(Instant now) {
        return payload != null && !payload.isStale(now);
    }

    /** This delivery with a payload. */
    WebhookDelivery with(EventContent read) {
        return new WebhookDelivery(organization, webhook, seq, attempts, read, alone, startBy);
    }

    /** This delivery without its payload. */
    WebhookDelivery light() {
        return new WebhookDelivery(organization, webhook, seq, attempts, null, alone, startBy);
    }

    /** This delivery for a read. A payload rendered from memory stays, since only its row has to be checked. */
    WebhookDelivery unread() {
        return payload != null && payload.read.written ? this : light();
    }

    /** This delivery, to be read by itself. */
    WebhookDelivery apart() {
        return new WebhookDelivery(organization, webhook, seq, attempts, null, true, startBy);
    }

    /** The bytes of its payload in memory; the rest of the object is bounded by the length of the queue. */
    int bytes() {
        return payload == null ? 0 : payload.content.length;
    }
}
