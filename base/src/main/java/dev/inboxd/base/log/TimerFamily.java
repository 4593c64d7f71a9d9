package dev.inboxd.base.log;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The histograms of durations of one name, which differ by the values of their labels. Thread-safe. */
public final class TimerFamily {
    private final MeterRegistry registry;
    private final CounterFamily.Description description;
    private final Duration[] buckets;
    private final Map<List<String>, Timer> timers = new ConcurrentHashMap<>();

    TimerFamily(MeterRegistry registry, CounterFamily.Description description, List<Duration> buckets) {
        this.registry = registry;
        this.description = description;
        this.buckets = buckets.toArray(new Duration[0]);
    }

    /** The same histograms, one of them there already. */
    public TimerFamily with(String... values) {
        timer(values);
        return this;
    }

    /** Records a duration in nanoseconds. */
    public void record(long nanos, String... values) {
        timer(values).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(String... values) {
        List<String> labelValues = List.of(values);
        Timer timer = timers.get(labelValues);
        return timer != null
                ? timer
                : timers.computeIfAbsent(
                        description.bounded(labelValues, timers),
                        series -> Timer.builder(description.name())
                                .description(description.help())
                                .tags(description.tags(series))
                                .serviceLevelObjectives(buckets)
                                .register(registry));
    }
}
