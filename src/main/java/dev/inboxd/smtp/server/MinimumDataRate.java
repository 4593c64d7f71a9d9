package dev.inboxd.smtp.server;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How fast one message comes. It may pause for as long as the idle time allows, but not trickle for hours. */
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

    /** Counts what has come; ends the session of who is slower than allowed. */
    void count(long more) {
        octets += more;
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - begun);
        if (octets < (seconds - GRACE_SECONDS) * OCTETS_PER_SECOND) {
            throw new DisconnectException(SmtpReplies.TOO_SLOW);
        }
    }
}
