package dev.inboxd.payment.metric;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long the calls for a payment took, in milliseconds.
 *
 * @param verifyMillis null where it was not asked for in this process
 * @param settleMillis null before it was asked for
 */
public record PaymentTimes(
        @Nullable Long verifyMillis, @Nullable Long settleMillis) {
    /** None was made. */
    public static final PaymentTimes NONE = new PaymentTimes(null, null);

    /** The same, with how long the settlement took. */
    public PaymentTimes settled(long millis) {
        return new PaymentTimes(verifyMillis, millis);
    }

    /** How long ago something began, by {@link System#nanoTime}. */
    public static long millisSince(long began) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }
}
