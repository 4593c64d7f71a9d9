package dev.inboxd.observe.metric;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The gauges of present resources (events.md §8). */
enum GaugeType {
    STORAGE_BYTES(CounterType.STORAGE_BYTES),
    MESSAGE_COUNT(CounterType.MESSAGE_COUNT),
    THREAD_COUNT(CounterType.THREAD_COUNT),
    INBOX_COUNT(null),
    DOMAIN_COUNT(null),
    POD_COUNT(null);

    /** Points of a series without a given period. */
    static final int DEFAULT_POINTS = 100;

    private final @Nullable CounterType kind;

    GaugeType(@Nullable CounterType kind) {
        this.kind = kind;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The counter with the gauge's running total, or null when rows are counted. */
    @Nullable
    CounterType kind() {
        return kind;
    }

    /** The gauges of an organization, of a pod, or of an inbox. */
    static List<GaugeType> of(boolean pod, boolean inbox) {
        return Stream.of(values())
                .filter(usage -> usage.kind != null || !inbox)
                .filter(usage -> usage != POD_COUNT || !pod)
                .toList();
    }
}
