package dev.inboxd.notify.webhook;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that was made, and what it came to.
 *
 * @param at when it began
 * @param status of the answer, or null when there was none
 * @param error why it was a failure, in a few words; null for a success
 * @param millis how long the exchange took
 * @param answer the beginning of the answer, or null when there was none
 */
record AttemptResult(
        WebhookDelivery delivery,
        Instant at,
        @Nullable Integer status,
        @Nullable String error,
        int millis,
        @Nullable String answer) {
    /** Which attempt it was, from 1. */
    int attempt() {
        return delivery.attempts() + 1;
    }
}
