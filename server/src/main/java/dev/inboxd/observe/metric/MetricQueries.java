package dev.inboxd.observe.metric;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.event.EventTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Queries of metrics, exact to the event: totals give whole minutes, and the event log gives the seconds between. */
public final class MetricQueries {
    private final Database database;
    private final MetricRollup rollup;

    /** Queries the totals of that rollup. */
    public MetricQueries(Database database, MetricRollup rollup) {
        this.database = database;
        this.rollup = rollup;
    }

    /** The number of events at a time, or in the bucket that begins then. */
    record Count(Instant timestamp, long count) {}

    /** The value of a gauge at the end of the bucket that begins then. */
    record Point(Instant timestamp, long value) {}

    /**
     * The share of the recipients that bounced or complained.
     *
     * @param rate null when nothing was sent
     * @param sent number of recipients
     */
    record Rate(Instant timestamp, @Nullable Double rate, long sent) {}

    /** Counts events: by period, or each event by itself. */
    Map<CounterType, List<Count>> events(View view, List<CounterType> kinds, TimeRange range) {
        Long period = range.period();
        if (period != null) {
            return byPeriod(view, kinds, range, range.buckets(period));
        }
        rollup.catchUp(view.organization());
        return byEvent(view, kinds, range);
    }

    private Map<CounterType, List<Count>> byEvent(View view, List<CounterType> kinds, TimeRange range) {
        Map<CounterType, List<Count>> series = new EnumMap<>(CounterType.class);
        database.runReads(tx -> {
            List<Long> ends =
                    EventTimes.lastBefore(tx, View.of(view.organization()), List.of(range.start(), range.end()));
            List<CounterTotals> totals = at(tx, view, List.of(range.start(), range.end()));
            for (CounterType kind : kinds) {
                // When there are no events of a type, the log is not read.
                long difference = totals.getLast().get(kind) - totals.getFirst().get(kind);
                MetricSql.EventRange events = new MetricSql.EventRange(
                        ends.getFirst(), ends.getLast(), Math.min(difference, range.most()), range.descending());
                series.put(kind, difference <= 0 ? List.of() : together(MetricSql.times(tx, view, kind, events)));
            }
        });
        return series;
    }

    /** Events with the same shown time are one entry. */
    private static List<Count> together(List<Instant> times) {
        List<Count> counts = new ArrayList<>();
        for (Instant exact : times) {
            Instant at = exact.truncatedTo(ChronoUnit.MILLIS);
            Count last = counts.isEmpty() ? null : counts.getLast();
            if (last != null && last.timestamp.equals(at)) {
                counts.set(counts.size() - 1, new Count(at, last.count + 1));
            } else {
                counts.add(new Count(at, 1));
            }
        }
        return counts;
    }

    private Map<CounterType, List<Count>> byPeriod(
            View view, List<CounterType> kinds, TimeRange range, List<TimeRange.Bucket> buckets) {
        List<Instant> bounds = Stream.concat(
                        buckets.stream().map(TimeRange.Bucket::from),
                        Stream.of(buckets.getLast().to()))
                .toList();
        List<CounterTotals> totals = at(view, bounds);
        Map<CounterType, List<Count>> series = new EnumMap<>(CounterType.class);
        for (CounterType kind : kinds) {
            List<Count> counts = new ArrayList<>();
            for (int i = 0; i < buckets.size(); i++) {
                long count = totals.get(i + 1).get(kind) - totals.get(i).get(kind);
                if (count > 0) {
                    counts.add(new Count(buckets.get(i).timestamp(), count));
                }
            }
            series.put(kind, range.ordered(counts));
        }
        return series;
    }

    /** The values of gauges, a point for each bucket. */
    Map<String, List<Point>> usage(View view, List<GaugeType> usages, TimeRange range) {
        rollup.catchUp(view.organization());
        Long period = range.period();
        List<TimeRange.Bucket> buckets =
                range.buckets(period != null ? period : range.periodFor(GaugeType.DEFAULT_POINTS));
        List<Instant> ends = buckets.stream().map(TimeRange.Bucket::to).toList();
        return database.read(tx -> {
            List<CounterTotals> totals = at(tx, view, ends);
            Map<String, List<Point>> series = new LinkedHashMap<>();
            for (GaugeType usage : usages) {
                CounterType kind = usage.kind();
                List<Long> values = kind == null
                        ? UsageSql.counts(tx, view, usage, ends)
                        : totals.stream().map(total -> total.get(kind)).toList();
                series.put(usage.wireName(), range.ordered(points(buckets, values)));
            }
            return series;
        });
    }

    private static List<Point> points(List<TimeRange.Bucket> buckets, List<Long> values) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < buckets.size(); i++) {
            points.add(new Point(buckets.get(i).timestamp(), values.get(i)));
        }
        return points;
    }

    /**
     * The share of the recipients that bounced or complained, a point for each bucket.
     *
     * @param affected the counter of the affected recipients
     * @param window the time before the end of a bucket over which the share is computed
     */
    List<Rate> rates(View view, CounterType affected, Duration window, TimeRange range) {
        List<TimeRange.Bucket> buckets = range.buckets(Objects.requireNonNull(range.period()));
        List<Instant> bounds = new ArrayList<>();
        buckets.forEach(bucket -> {
            bounds.add(bucket.to().minus(window));
            bounds.add(bucket.to());
        });
        List<CounterTotals> totals = at(view, bounds);
        List<Rate> rates = new ArrayList<>();
        for (int i = 0; i < buckets.size(); i++) {
            CounterTotals before = totals.get(2 * i);
            CounterTotals after = totals.get(2 * i + 1);
            Function<CounterType, Long> during = kind -> after.get(kind) - before.get(kind);
            long sent = during.apply(CounterType.RECIPIENTS_SENT);
            rates.add(new Rate(
                    buckets.get(i).timestamp(), sent == 0 ? null : (double) during.apply(affected) / sent, sent));
        }
        return range.ordered(rates);
    }

    /** The totals at some moments, with all that happened before the request. */
    private List<CounterTotals> at(View view, List<Instant> moments) {
        List<CounterTotals> totals = database.read(tx -> {
            TotalsSnapshot snapshot = TotalsSnapshot.read(tx, view, moments);
            return snapshot.isWhole() ? snapshot.totals(tx, view) : null;
        });
        if (totals != null) {
            return totals;
        }
        rollup.catchUp(view.organization());
        return database.read(tx -> at(tx, view, moments));
    }

    private static List<CounterTotals> at(Tx tx, View view, List<Instant> moments) {
        return TotalsSnapshot.read(tx, view, moments).totals(tx, view);
    }
}
