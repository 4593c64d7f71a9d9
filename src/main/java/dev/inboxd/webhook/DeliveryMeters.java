package dev.inboxd.webhook;

import dev.inboxd.log.Metrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.IntSupplier;

/** What is counted of deliveries. */
final class DeliveryMeters {
    final Counter delivered;
    final Counter failed;
    /** Attempts that were not begun: too late under their lease, or nothing was left to deliver. */
    final Counter skipped;
    /** Hints that found no room in memory; their rows are delivered a little later. */
    final Counter overflowed;
    /** From the event to the endpoint's 2xx. */
    final Timer latency;

    DeliveryMeters(Metrics metrics, IntSupplier queued) {
        MeterRegistry registry = metrics.registry();
        delivered = attempts(registry, "delivered");
        failed = attempts(registry, "failed");
        skipped = attempts(registry, "skipped");
        overflowed = Counter.builder("inboxd.webhook.overflows")
                .description("Deliveries that waited in the rows for room in memory").register(registry);
        latency = Timer.builder("inboxd.webhook.latency").description("From the event to the endpoint's 2xx")
                .serviceLevelObjectives(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(500),
                        Duration.ofSeconds(5), Duration.ofMinutes(10))
                .register(registry);
        Gauge.builder("inboxd.webhook.queued", queued::getAsInt)
                .description("Deliveries that wait in memory").register(registry);
    }

    private static Counter attempts(MeterRegistry registry, String outcome) {
        return Counter.builder("inboxd.webhook.attempts").description("Delivery attempts by outcome")
                .tag("outcome", outcome).register(registry);
    }
}
