package dev.inboxd.outbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.log.CounterFamily;
import dev.inboxd.base.log.FigureCache;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.log.TimerFamily;
import dev.inboxd.base.log.Traces;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is counted of mail that leaves. */
public final class DeliveryMeters {
    /** How often the database is asked at most, whoever scrapes. */
    private static final Duration INTERVAL = Duration.ofSeconds(15);

    private final Metrics metrics;
    private final CounterFamily attempts;
    private final TimerFamily durations;

    /** The meters of attempts. */
    public DeliveryMeters(Metrics metrics) {
        this.metrics = metrics;
        this.attempts = metrics.counters("inboxd.delivery.attempts", "Attempts for a recipient, by result", "result");
        for (RecipientOutcome.State state : RecipientOutcome.State.values()) {
            attempts.with(word(state));
        }
        this.durations = metrics.timers(
                        "inboxd.delivery.attempt", "From the claim of a message to its results", Metrics.REMOTE, "way")
                .with("inbox")
                .with("server");
    }

    /** Adds the figures of the queue, which all nodes of a database share. */
    void watch(Database database, InstantSource clock) {
        FigureCache<Map<String, QueueSizeSql.QueueSize>> queue =
                new FigureCache<>("the queue", INTERVAL, () -> QueueSizeSql.read(database));
        for (String state : List.of("queued", "deferred", "sending")) {
            metrics.level(
                    "inboxd.queue.recipients",
                    "Recipients in the queue, up to 100,000; the same at every node",
                    () -> queue.value(
                            sizes -> sizes.containsKey(state) ? sizes.get(state).recipients() : 0),
                    "state",
                    state);
            metrics.level(
                    "inboxd.queue.oldest.seconds",
                    "Age of the oldest mail in the queue; the same at every node",
                    () -> queue.value(sizes -> age(sizes.get(state), clock)),
                    "state",
                    state);
        }
    }

    private static double age(QueueSizeSql.@Nullable QueueSize size, InstantSource clock) {
        return size == null
                ? 0
                : Math.max(0, Duration.between(size.since(), clock.instant()).toMillis() / 1000.0);
    }

    /** Counts an attempt that ended now, for each of its recipients. */
    void ended(QueueItem item, long nanos, Collection<RecipientOutcome> outcomes) {
        String way = item.local() ? "inbox" : "server";
        durations.record(nanos, way);
        outcomes.forEach(outcome -> attempts.increment(word(outcome.state())));
        if (metrics.traces().isOn()) {
            metrics.traces().ended(span(item, nanos, outcomes).with("inboxd.way", way));
        }
    }

    private static Traces.Span span(QueueItem item, long nanos, Collection<RecipientOutcome> outcomes) {
        List<String> results = outcomes.stream()
                .map(outcome -> word(outcome.state()))
                .distinct()
                .sorted()
                .toList();
        boolean failed = outcomes.stream().noneMatch(RecipientOutcome::isHandedOver);
        return Traces.Span.of("deliver", Traces.Side.CLIENT, nanos)
                .with("inboxd.submission_id", item.submission())
                .with("inboxd.recipients", outcomes.size())
                .with("inboxd.results", String.join(",", results))
                .failed(failed && !results.isEmpty() ? results.getFirst() : null);
    }

    private static String word(RecipientOutcome.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
