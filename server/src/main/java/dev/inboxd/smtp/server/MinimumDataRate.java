package dev.inboxd.smtp.server;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The minimum rate at which a message must arrive: 256 octets a second after the first five minutes. A client may pause
 * for the idle time, but cannot trickle one message for hours.
 */
final class MinimumDataRate {
    private static final long GRACE_SECONDS = 300;
    private static final long OCTETS_PER_SECOND = 256;

    private final LongSupplier nanos;
    private final long begun;
    private long octets;

    MinimumDataRate(LongSupplier nanos) {
        this.nanos = nanos;
        this.begun = nanos.getAsLong();
    }

    /**
     * Counts received octets.
     *
     * @throws DisconnectException when the message arrives too slowly
     */
    void count(long more) {
        octets += more;
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - begun);
        if (octets < (seconds - GRACE_SECONDS) * OCTETS_PER_SECOND) {
            throw new DisconnectException(SmtpReplies.TOO_SLOW);
        }
    }
}
