package dev.inboxd.notify.delivery;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of one delivery attempt, as it is written to the delivery log.
 *
 * @param at when the attempt began
 * @param status the HTTP status of the response, or null without a response
 * @param error the cause of a failure in a few words; null for a success
 * @param millis duration of the HTTP exchange in milliseconds
 * @param answer the beginning of the response body, or null without a response
 */
public record AttemptResult(
        WebhookDelivery delivery,
        Instant at,
        @Nullable Integer status,
        @Nullable String error,
        int millis,
        @Nullable String answer) {
    /** The number of this attempt, counted from 1. */
    int attempt() {
        return delivery.attempts() + 1;
    }
}
