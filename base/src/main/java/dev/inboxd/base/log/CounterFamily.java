package dev.inboxd.base.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The counters of one name, which differ by the values of their labels. Thread-safe. */
public final class CounterFamily {
    /** More series than this are counted as one: no peer can fill the memory of this process and of its scrapers. */
    static final int MOST_SERIES = 2_000;

    static final String OVERFLOW = "other";

    private final MeterRegistry registry;
    private final Description description;
    private final Map<List<String>, Counter> counters = new ConcurrentHashMap<>();

    /**
     * What a family of meters is.
     *
     * @param name with dots between the words, without the unit's suffix
     * @param help one line for people
     * @param labels names of its labels; their values are each one out of a few, never an id or an address
     */
    record Description(String name, String help, List<String> labels) {
        Description {
            labels = List.copyOf(labels);
        }

        Tags tags(List<String> values) {
            Tags tags = Tags.empty();
            for (int i = 0; i < labels.size(); i++) {
                tags = tags.and(labels.get(i), values.get(i));
            }
            return tags;
        }

        /** The values, or those of the series for all that is too many. */
        List<String> bounded(List<String> values, Map<List<String>, ?> series) {
            if (values.size() != labels.size()) {
                throw new IllegalArgumentException(name + " has the labels " + labels);
            }
            return series.size() < MOST_SERIES || series.containsKey(values)
                    ? values
                    : labels.stream().map(_ -> OVERFLOW).toList();
        }
    }

    CounterFamily(MeterRegistry registry, Description description) {
        this.registry = registry;
        this.description = description;
    }

    /** The same counters, one of them at 0 already, so that its first count is seen as a change. */
    public CounterFamily with(String... values) {
        counter(values);
        return this;
    }

    /** Counts one more. */
    public void increment(String... values) {
        counter(values).increment();
    }

    /** Counts so many more. */
    public void add(long amount, String... values) {
        counter(values).increment((double) amount);
    }

    private Counter counter(String... values) {
        List<String> labelValues = List.of(values);
        Counter counter = counters.get(labelValues);
        return counter != null
                ? counter
                : counters.computeIfAbsent(
                        description.bounded(labelValues, counters),
                        series -> Counter.builder(description.name)
                                .description(description.help)
                                .tags(description.tags(series))
                                .register(registry));
    }
}
