package dev.inboxd.notify.webhook;

import dev.inboxd.platform.log.Metrics;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;

/** What is counted of deliveries. */
final class DeliveryMetrics {
    final LongConsumer delivered;
    final LongConsumer failed;
    /** Attempts that were not begun: too late under their lease, or nothing was left to deliver. */
    final LongConsumer skipped;
    /** Hints that found no room in memory; their rows are delivered a little later. */
    final LongConsumer overflowed;
    /** From the event to the endpoint's 2xx. */
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
