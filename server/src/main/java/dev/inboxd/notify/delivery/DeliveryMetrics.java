package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.log.FigureCache;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.log.TimerFamily;
import dev.inboxd.base.log.Traces;
import dev.inboxd.net.HttpOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Metrics of webhook deliveries. */
final class DeliveryMetrics {
    /** How often the database is asked at most, whoever scrapes. */
    private static final Duration INTERVAL = Duration.ofSeconds(15);

    final LongConsumer delivered;
    final LongConsumer failed;
    /** Attempts that were not started: the lease ended too soon, or nothing was left to deliver. */
    final LongConsumer skipped;
    /** Deliveries that found no room in memory; they are claimed from their rows a little later. */
    final LongConsumer overflowed;
    /** Time from the event to the endpoint's 2xx response. */
    final Consumer<Duration> latency;

    private final TimerFamily durations;
    private final Metrics metrics;

    DeliveryMetrics(Metrics metrics, IntSupplier queued) {
        this.metrics = metrics;
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
        durations = metrics.timers("inboxd.webhook.attempt", "Of posts to endpoints", Metrics.REMOTE)
                .with();
        metrics.gauge("inboxd.webhook.queued", "Deliveries that wait in memory", queued);
    }

    /**
     * Measures a post that ended now.
     *
     * @param began when it began, by {@link System#nanoTime}
     * @return how long it took, in milliseconds
     */
    int posted(WebhookDelivery delivery, String eventId, HttpOutcome outcome, long began) {
        long nanos = System.nanoTime() - began;
        durations.record(nanos);
        if (metrics.traces().isOn()) {
            Traces.Span span = Traces.Span.of("POST webhook", Traces.Side.CLIENT, nanos)
                    .with("http.request.method", "POST")
                    .with("inboxd.webhook_id", delivery.webhook())
                    .with("inboxd.event_id", eventId)
                    .with("inboxd.attempt", delivery.attempts() + 1);
            metrics.traces().ended(ended(span, outcome));
        }
        return Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    private static Traces.Span ended(Traces.Span span, HttpOutcome outcome) {
        return switch (outcome) {
            case HttpOutcome.Response answered ->
                span.with("http.response.status_code", answered.status())
                        .failed(answered.status() / 100 == 2 ? null : String.valueOf(answered.status()));
            case HttpOutcome.NoResponse failed ->
                span.failed(failed.kind().name().toLowerCase(Locale.ROOT));
        };
    }

    /** Adds the figures of the webhooks, which all nodes of a database share. */
    void watch(Database database, InstantSource clock) {
        FigureCache<FailingWebhookSql.FailingWebhooks> failing =
                new FigureCache<>("webhooks", INTERVAL, () -> FailingWebhookSql.read(database));
        metrics.level(
                "inboxd.webhooks.failing",
                "Enabled webhooks whose endpoint fails; the same at every node",
                () -> failing.value(FailingWebhookSql.FailingWebhooks::number));
        metrics.level(
                "inboxd.webhooks.failing.oldest.seconds",
                "How long the first of them has failed; the same at every node",
                () -> failing.value(webhooks -> age(webhooks.since(), clock)));
    }

    private static double age(@Nullable Instant since, InstantSource clock) {
        return since == null
                ? 0
                : Math.max(0, Duration.between(since, clock.instant()).toMillis() / 1000.0);
    }

    private static LongConsumer attempts(Metrics metrics, String outcome) {
        return metrics.counter(
                "inboxd.webhook.attempts", "Delivery attempts by outcome", Map.entry("outcome", outcome));
    }
}
