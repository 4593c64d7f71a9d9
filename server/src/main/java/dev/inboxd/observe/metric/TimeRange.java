package dev.inboxd.observe.metric;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The range of time of a query, and its buckets (events.md §8).
 *
 * @param start the first moment
 * @param end the first moment after the range
 * @param period the length of a bucket in seconds, or null when none was given
 * @param most the largest number of entries of each series
 */
record TimeRange(Instant start, Instant end, @Nullable Long period, int most, boolean descending) {
    private static final Duration OLDEST = Duration.ofDays(90);
    private static final Duration DEFAULT = Duration.ofDays(1);
    private static final int LONGEST_PERIOD = 86_400;
    private static final int MOST_BUCKETS = 1_000;

    /**
     * Reads the range from a query; faults are added to the query.
     *
     * @param shortest the shortest allowed period in seconds
     */
    static TimeRange read(Query query, Instant now, int shortest) {
        Instant start = query.instant("start");
        Instant end = query.instant("end");
        Long period = query.integer("period", shortest, LONGEST_PERIOD);
        Long limit = query.integer("limit", 1, Integer.MAX_VALUE);
        boolean descending = query.flag("descending", false);
        Instant last = end == null || end.isAfter(now) ? now : end;
        Instant first = start == null ? last.minus(DEFAULT) : start;
        if (start != null && start.isBefore(now.minus(OLDEST))) {
            query.fault("start", "start must lie within the last 90 days");
        } else if (!last.isAfter(first)) {
            query.fault(end == null ? "start" : "end", "end must lie behind start, and start in the past");
        }
        return new TimeRange(
                first, last, period, limit == null ? MOST_BUCKETS : (int) Math.min(limit, MOST_BUCKETS), descending);
    }

    /**
     * A bucket of a series.
     *
     * @param timestamp the start of the bucket, a multiple of the period since 1970
     * @param from its first moment inside the range
     * @param to the first moment after it
     */
    record Bucket(Instant timestamp, Instant from, Instant to) {}

    /**
     * The buckets of a period, in their order.
     *
     * @param seconds the period
     * @throws Problem {@code query_range_too_wide}
     */
    List<Bucket> buckets(long seconds) {
        long first = Math.floorDiv(start.getEpochSecond(), seconds) * seconds;
        if ((end.getEpochSecond() - first) / seconds > MOST_BUCKETS) {
            throw Problem.of(
                    ErrorCode.QUERY_RANGE_TOO_WIDE,
                    "From start to end there are more than " + MOST_BUCKETS + " periods",
                    "Ask for a shorter range or a longer period.");
        }
        List<Bucket> buckets = new ArrayList<>();
        for (long at = first; Instant.ofEpochSecond(at).isBefore(end); at += seconds) {
            Instant from = Instant.ofEpochSecond(at);
            Instant to = Instant.ofEpochSecond(at + seconds);
            buckets.add(new Bucket(from, from.isBefore(start) ? start : from, to.isAfter(end) ? end : to));
        }
        return buckets;
    }

    /** The shortest period, in seconds, with at most that many buckets. */
    long periodFor(int points) {
        long seconds = Math.max(1, Math.ceilDiv(Duration.between(start, end).toSeconds(), points));
        while (Math.ceilDiv(end.toEpochMilli(), 1000 * seconds) - Math.floorDiv(start.toEpochMilli(), 1000 * seconds)
                > points) {
            seconds++;
        }
        return seconds;
    }

    /** The range without the time before a moment. */
    TimeRange since(@Nullable Instant moment) {
        return moment == null || !moment.isAfter(start)
                ? this
                : new TimeRange(moment.isBefore(end) ? moment : end, end, period, most, descending);
    }

    /** A series in the requested order, cut to the requested length. */
    <T> List<T> ordered(List<T> ascending) {
        List<T> series = descending ? ascending.reversed() : ascending;
        return series.subList(0, Math.min(most, series.size()));
    }
}
