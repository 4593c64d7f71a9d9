package dev.inboxd.observe.metric;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Quotation;
import dev.inboxd.base.error.Suggestion;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Metrics over HTTP. */
public final class MetricHttp {
    private static final int SHORTEST_OF_RATES = 60;
    private static final long DEFAULT_PERIOD_OF_RATES = 3_600;
    private static final int LONGEST_WINDOW = 2_592_000;
    private static final long DEFAULT_WINDOW = 86_400;

    private static final Map<String, CounterType> RATES = rates();

    private final MetricQueries queries;
    private final InstantSource clock;

    /** Routes to these queries. */
    public MetricHttp(MetricQueries queries, InstantSource clock) {
        this.queries = queries;
        this.clock = clock;
    }

    private static Map<String, CounterType> rates() {
        Map<String, CounterType> rates = new LinkedHashMap<>();
        rates.put("bounce", CounterType.RECIPIENTS_BOUNCED);
        rates.put("complaint", CounterType.RECIPIENTS_COMPLAINED);
        return rates;
    }

    /** Mounts the routes for an organization, a pod or an inbox. */
    public void mount(Routes level) {
        level.get(Permission.METRICS_READ, "/metrics", this::events);
        level.get(Permission.METRICS_READ, "/metrics/events", this::events);
        level.get(Permission.METRICS_READ, "/metrics/usage", this::usage);
        level.get(Permission.METRICS_READ, "/metrics/rates", this::rates);
    }

    private Response events(Request request) {
        Query query = request.query();
        List<CounterType> kinds =
                chosen(query, "event_types", CounterType.EVENTS, CounterType::wireName, CounterType.EVENTS);
        TimeRange range = TimeRange.read(query, clock.instant(), 1);
        query.check();
        View view = request.view();
        List<CounterType> shown =
                kinds.stream().filter(kind -> isShown(request.caller(), kind)).toList();
        Map<CounterType, List<MetricQueries.Count>> series = queries.events(view, shown, range.since(view.since()));
        JsonObject json = JsonObject.of(kinds.getFirst().wireName(), null);
        kinds.forEach(kind -> json.with(
                kind.wireName(),
                series.getOrDefault(kind, List.of()).stream()
                        .map(count ->
                                JsonObject.of("timestamp", count.timestamp()).with("count", count.count()))
                        .toList()));
        return Response.ok(json);
    }

    /** A key without permission for an event gets no counts of it (promise P11). */
    private static boolean isShown(Caller caller, CounterType kind) {
        Permission flag = kind.event().subscriber();
        return flag == null || caller.holds(flag);
    }

    private Response usage(Request request) {
        Query query = request.query();
        View view = request.view();
        List<GaugeType> available = GaugeType.of(view.pod() != null, view.inbox() != null);
        List<GaugeType> usages =
                chosen(query, "usage_types", List.of(GaugeType.values()), GaugeType::wireName, available).stream()
                        .filter(available::contains)
                        .toList();
        TimeRange range = TimeRange.read(query, clock.instant(), 1);
        query.check();
        Map<String, Object> json = new LinkedHashMap<>();
        queries.usage(view, usages, range)
                .forEach((usage, points) -> json.put(
                        usage,
                        points.stream()
                                .map(point -> JsonObject.of("timestamp", point.timestamp())
                                        .with("value", point.value()))
                                .toList()));
        return Response.ok(json);
    }

    private Response rates(Request request) {
        Query query = request.query();
        List<String> types = chosen(
                query, "rate_types", List.copyOf(RATES.keySet()), Function.identity(), List.copyOf(RATES.keySet()));
        TimeRange read = TimeRange.read(query, clock.instant(), SHORTEST_OF_RATES);
        Long requestedPeriod = read.period();
        long period = requestedPeriod == null ? DEFAULT_PERIOD_OF_RATES : requestedPeriod;
        Long requestedWindow = query.integer("window", 1, LONGEST_WINDOW);
        long window = requestedWindow != null ? requestedWindow : Math.max(DEFAULT_WINDOW / period, 1) * period;
        if (window % period != 0) {
            query.fault("window", "window must be a multiple of the period, " + period + " seconds");
        }
        query.check();
        TimeRange range = new TimeRange(read.start(), read.end(), period, read.most(), read.descending());
        Map<String, Object> json = new LinkedHashMap<>();
        for (String type : types) {
            json.put(
                    type,
                    queries
                            .rates(
                                    request.view(),
                                    RATES.getOrDefault(type, CounterType.RECIPIENTS_BOUNCED),
                                    Duration.ofSeconds(window),
                                    range)
                            .stream()
                            .map(rate -> JsonObject.of("timestamp", rate.timestamp())
                                    .with("rate", rate.rate())
                                    .with("sent", rate.sent()))
                            .toList());
        }
        return Response.ok(json);
    }

    /** A list of words: one JSON array, repeated, or separated by commas (events.md §8). */
    private static <T> List<T> chosen(Query query, String name, List<T> all, Function<T, String> wire, List<T> usual) {
        List<T> chosen = new ArrayList<>();
        for (String word : query.words(name)) {
            List<T> matches = all.stream()
                    .filter(candidate -> wire.apply(candidate).equals(word))
                    .toList();
            if (matches.isEmpty()) {
                List<String> words = all.stream().map(wire).toList();
                String expected = "one of " + String.join(", ", words);
                String message = Quotation.of(word) + " is not " + expected + Suggestion.question(word, words);
                query.fault(name, message, Fault.Code.INVALID_VALUE, expected);
            }
            matches.stream().filter(match -> !chosen.contains(match)).forEach(chosen::add);
        }
        return chosen.isEmpty() ? usual : chosen;
    }
}
