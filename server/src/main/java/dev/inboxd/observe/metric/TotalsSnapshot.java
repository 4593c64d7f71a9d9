package dev.inboxd.observe.metric;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.event.EventTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The totals of a scope around some moments, as one statement read them: of the minute that each moment is in, at its
 * start and at its end.
 */
final class TotalsSnapshot {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<Instant> moments;
    private final List<MetricSql.MinuteTotals> starts;
    private final List<MetricSql.MinuteTotals> ends;

    private TotalsSnapshot(List<Instant> moments, List<MetricSql.MinuteTotals> both) {
        this.moments = moments;
        this.starts = both.subList(0, moments.size());
        this.ends = both.subList(moments.size(), both.size());
    }

    static TotalsSnapshot read(Tx tx, View view, List<Instant> moments) {
        List<Instant> minutes = new ArrayList<>();
        moments.forEach(moment -> minutes.add(minute(moment)));
        moments.stream()
                .filter(TotalsSnapshot::isWithin)
                .forEach(moment -> minutes.add(minute(moment).plus(MINUTE)));
        return new TotalsSnapshot(moments, MetricSql.at(tx, View.of(view.organization()), scope(view), minutes));
    }

    private static Instant minute(Instant moment) {
        return moment.truncatedTo(ChronoUnit.MINUTES);
    }

    /** Whether a moment is inside a minute. */
    private static boolean isWithin(Instant moment) {
        return !moment.equals(minute(moment));
    }

    /** Whether all events are in the totals. */
    boolean isWhole() {
        return starts.getFirst().isWhole();
    }

    /**
     * The totals at the moments, exact to the event. Behind the last event they are those at the end of the minute;
     * else the events since its start are added.
     */
    List<CounterTotals> totals(Tx tx, View view) {
        List<CounterTotals> totals = new ArrayList<>();
        List<Integer> open = new ArrayList<>();
        int within = 0;
        for (int i = 0; i < moments.size(); i++) {
            MetricSql.MinuteTotals start = starts.get(i);
            if (!isWithin(moments.get(i))) {
                totals.add(start.totals());
                continue;
            }
            MetricSql.MinuteTotals end = ends.get(within++);
            boolean isLast = end.isWhole() && end.lastAt().isBefore(moments.get(i));
            totals.add(isLast ? end.totals() : start.totals());
            if (!isLast) {
                open.add(i);
            }
        }
        if (!open.isEmpty()) {
            addEvents(tx, view, totals, open);
        }
        return totals;
    }

    /** Adds the events from the start of the minute to the moment. */
    private void addEvents(Tx tx, View view, List<CounterTotals> totals, List<Integer> open) {
        List<Instant> bounds = new ArrayList<>();
        for (int i : open) {
            bounds.add(minute(moments.get(i)));
            bounds.add(moments.get(i));
        }
        List<Long> numbers = EventTimes.lastBefore(tx, View.of(view.organization()), bounds);
        List<Long> after = new ArrayList<>();
        List<Long> last = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i += 2) {
            after.add(numbers.get(i));
            last.add(numbers.get(i + 1));
        }
        MetricSql.sumsOfRanges(tx, scoped(view), after, last)
                .forEach((place, sum) -> totals.get(open.get(place)).add(sum));
        if (view.inbox() == null) {
            MetricSql.removedResources(
                            tx,
                            scoped(view),
                            open.stream().map(i -> minute(moments.get(i))).toList(),
                            open.stream().map(moments::get).toList())
                    .forEach((place, sum) -> totals.get(open.get(place)).add(sum));
        }
    }

    private static UUID scope(View view) {
        UUID inbox = view.inbox();
        UUID pod = view.pod();
        return inbox != null ? inbox : pod != null ? pod : view.organization();
    }

    /** The scope for statements on events, which filter by a pod or an inbox, never by both. */
    private static View scoped(View view) {
        View all = View.of(view.organization());
        UUID inbox = view.inbox();
        UUID pod = view.pod();
        return inbox != null ? all.inbox(inbox) : pod != null ? all.pod(pod) : all;
    }
}
