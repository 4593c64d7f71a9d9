package dev.inboxd.log;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The meters of this process, and their text for Prometheus. */
public final class Metrics {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ConcurrentHashMap<Series, Timer> requests = new ConcurrentHashMap<>();

    /** Meters that have counted nothing yet. */
    public Metrics() {}

    /** Where others keep meters of their own. */
    public MeterRegistry registry() {
        return registry;
    }

    /**
     * Counts and times a request.
     *
     * @param method its method, of a known route only
     * @param route the route's template, never the path: a peer must not be able to make series
     * @param status the answer's HTTP status
     * @param nanos how long it took
     */
    public void request(String method, String route, int status, long nanos) {
        requests.computeIfAbsent(new Series(method, route, status), this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Series series) {
        return Timer.builder("inboxd.http.requests").description("Requests by route and status")
                .tag("method", series.method).tag("route", series.route)
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
