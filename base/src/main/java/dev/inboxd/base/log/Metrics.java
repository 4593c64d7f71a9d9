package dev.inboxd.base.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;

/**
 * The meters of this process, their text for Prometheus, and where its work is traced. A name has dots between its
 * words; the suffixes of the unit and of a counter are added in the text.
 */
public final class Metrics {
    /** What most answers take at most, for histograms of requests and of commits. */
    public static final List<Duration> QUICK = List.of(
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5));

    /** The same for what another server takes part in. */
    public static final List<Duration> REMOTE = List.of(
            Duration.ofMillis(50),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5));

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final TimerFamily requests;
    private volatile Traces traces = Traces.OFF;
    /** The registry itself holds what its meters read only weakly. */
    private final Queue<DoubleSupplier> sources = new ConcurrentLinkedQueue<>();

    /** Meters without counts. */
    public Metrics() {
        this.requests = new TimerFamily(
                registry,
                new CounterFamily.Description(
                        "inboxd.http.requests", "Requests by route and status", List.of("method", "route", "status")),
                List.of(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(500)));
    }

    /** The registry, for those who hand its meters on. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Where work is traced. */
    public Traces traces() {
        return traces;
    }

    /** Sets where work is traced. */
    public void trace(Traces where) {
        traces = where;
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
     * Counters that differ by labels.
     *
     * @param labels their names; the values are each one out of a few
     */
    public CounterFamily counters(String name, String description, String... labels) {
        return new CounterFamily(registry, new CounterFamily.Description(name, description, List.of(labels)));
    }

    /** A counter of something that is counted elsewhere, and read at each scrape. */
    public void counted(String name, String description, DoubleSupplier count) {
        sources.add(count);
        FunctionCounter.builder(name, count, DoubleSupplier::getAsDouble)
                .description(description)
                .register(registry);
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

    /**
     * Distributions of durations that differ by labels.
     *
     * @param buckets upper bounds
     * @param labels their names; the values are each one out of a few
     */
    public TimerFamily timers(String name, String description, List<Duration> buckets, String... labels) {
        return new TimerFamily(registry, new CounterFamily.Description(name, description, List.of(labels)), buckets);
    }

    /** A gauge that is read at each scrape. */
    public void gauge(String name, String description, IntSupplier number) {
        level(name, description, number::getAsInt);
    }

    /**
     * A gauge that is read at each scrape.
     *
     * @param level its value in the unit that ends the name; not a number when it is not known
     * @param tags names and values, in turn
     */
    public void level(String name, String description, DoubleSupplier level, String... tags) {
        sources.add(level);
        Gauge.builder(name, level, DoubleSupplier::getAsDouble)
                .description(description)
                .tags(Tags.of(tags))
                .register(registry);
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
        requests.record(nanos, method, route, Integer.toString(status));
    }

    /** The Prometheus text format, version 0.0.4. */
    public String scrape() {
        return registry.scrape();
    }
}
