package dev.inboxd.payment.facilitator;

import java.time.Duration;

/**
 * Bounds of the calls to one service.
 *
 * @param places how many there are at a time
 * @param patience how long one waits for a place
 * @param verifyTimeout the deadline of a call that moves nothing
 * @param settleTimeout the deadline of one that settles
 */
record ServiceLimits(int places, Duration patience, Duration verifyTimeout, Duration settleTimeout) {
    static final ServiceLimits USUAL =
            new ServiceLimits(64, Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(20));
}
