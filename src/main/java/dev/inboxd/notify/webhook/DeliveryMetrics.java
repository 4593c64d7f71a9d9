package dev.inboxd.notify.webhook;

import dev.inboxd.platform.log.Metrics;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;

/** Metrics of webhook deliveries. */
final class DeliveryMetrics {
    final LongConsumer delivered;
    final LongConsumer failed;
    /** Attempts that were not started: the lease ended too soon, or nothing was left to deliver. */
    final LongConsumer skipped;
    /** Deliveries that found no room in memory; they are claimed from their rows a little later. */
    final LongConsumer overflowed;
    /** Time from the event to the endpoint's 2xx response. */
    final Consumer<Duration> latency;

    DeliveryMetrics(Metrics metrics, IntSupplier queued) {
        delivered = attempts(metrics, "delivered");
        failed = attempts(metrics, "failed");
        skipped = attempts(metrics, "skipped");
        overflowed = attempts(metrics, "overflowed");
        latency = metrics.timer(
                "inboxd.webhook.latency",
                "From the event to the endpoint's 2xx",
                Duration.ofMillis(5),
                Duration.ofMillis(50),
                Duration.ofMillis(500),
                Duration.ofSeconds(5),
                Duration.ofMinutes(10));
        metrics.gauge("inboxd.webhook.queued", "Deliveries that wait in memory", queued);
    }

    private static LongConsumer attempts(Metrics metrics, String outcome) {
        return metrics.counter(
                "inboxd.webhook.attempts", "Delivery attempts by outcome", Map.entry("outcome", outcome));
    }
}
