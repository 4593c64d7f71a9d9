package dev.inboxd.tenant.metric;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What there can be much or little of (events.md §8). */
enum GaugeType {
    STORAGE_BYTES(CounterType.STORAGE_BYTES),
    MESSAGE_COUNT(CounterType.MESSAGE_COUNT),
    THREAD_COUNT(CounterType.THREAD_COUNT),
    INBOX_COUNT(null),
    DOMAIN_COUNT(null),
    POD_COUNT(null);

    /** Points of a series when no period is given. */
    static final int USUAL_POINTS = 100;

    private final @Nullable CounterType kind;

    GaugeType(@Nullable CounterType kind) {
        this.kind = kind;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The running total that tells it, or null when the things themselves are counted. */
    @Nullable
    CounterType kind() {
        return kind;
    }

    /** What there is in an organization, in a pod of it, or in an inbox. */
    static List<GaugeType> of(boolean pod, boolean inbox) {
        return Stream.of(values())
                .filter(usage -> usage.kind != null || !inbox)
                .filter(usage -> usage != POD_COUNT || !pod)
                .toList();
    }
}
