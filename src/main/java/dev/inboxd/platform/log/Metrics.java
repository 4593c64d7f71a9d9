package dev.inboxd.platform.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;

/** The meters of this process, and their text for Prometheus. */
public final class Metrics {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConcurrentHashMap<Series, Timer> requests = new ConcurrentHashMap<>();

    /** Meters without counts. */
    public Metrics() {}

    /** The registry, for meters of other packages. */
    public MeterRegistry registry() {
        return registry;
    }

    /**
     * A counter.
     *
     * @param tag a name, and a value out of a few
     * @return adds to the counter
     */
    public LongConsumer counter(String name, String description, Map.Entry<String, String> tag) {
        return Counter.builder(name)
                .description(description)
                .tag(tag.getKey(), tag.getValue())
                .register(registry)::increment;
    }

    /**
     * A distribution of durations.
     *
     * @return records a duration
     */
    public Consumer<Duration> timer(String name, String description, Duration... objectives) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(objectives)
                .register(registry)::record;
    }

    /** A gauge that is read at each scrape. */
    public void gauge(String name, String description, IntSupplier number) {
        Gauge.builder(name, number::getAsInt).description(description).register(registry);
    }

    /**
     * Counts and times a request.
     *
     * @param method its method, of a known route only
     * @param route the route's template, never the path: a peer must not be able to create time series
     * @param status the answer's HTTP status
     * @param nanos duration in nanoseconds
     */
    public void request(String method, String route, int status, long nanos) {
        requests.computeIfAbsent(new Series(method, route, status), this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Series series) {
        return Timer.builder("inboxd.http.requests")
                .description("Requests by route and status")
                .tag("method", series.method)
                .tag("route", series.route)
                .tag("status", Integer.toString(series.status))
                .serviceLevelObjectives(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(500))
                .register(registry);
    }

    /** The Prometheus text format, version 0.0.4. */
    public String scrape() {
        return registry.scrape();
    }

    private record Series(String method, String route, int status) {}
}
