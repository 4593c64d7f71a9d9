package dev.inboxd.event;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;

/** Converts times to event numbers. Within an organization both grow together, so no index on the time is needed. */
public final class EventTimes {
    /** How many look-ups one statement makes, and into how many parts one moment's log is cut with them. */
    private static final int LOOK_UPS = 64;

    private static final int MOST_WAYS = 32;

    private EventTimes() {}

    private record Probe(long seq, Instant at) {}

    /**
     * The number of the last event before a moment; that of the horizon when no event is kept that is so old, 0 when
     * there is neither. Found by look-ups by key, some dozens at a time, so that a long log costs few more round trips
     * than a short one.
     *
     * @param all the whole organization
     */
    public static long lastBefore(Tx tx, View all, Instant moment) {
        return lastBefore(tx, all, List.of(moment)).getFirst();
    }

    /** The same for several moments, searched together. */
    public static List<Long> lastBefore(Tx tx, View all, List<Instant> moments) {
        Span log = log(tx, all);
        List<Span> spans = moments.stream().map(_ -> log).toList();
        int ways = Math.clamp(LOOK_UPS / moments.size(), 2, MOST_WAYS);
        while (spans.stream().anyMatch(Span::isOpen)) {
            List<List<Long>> points =
                    spans.stream().map(span -> span.points(ways)).toList();
            Iterator<Probe> probes = probe(
                            tx, all, points.stream().flatMap(List::stream).toArray(Long[]::new))
                    .iterator();
            List<Span> narrowed = new ArrayList<>();
            for (int i = 0; i < spans.size(); i++) {
                Span span = spans.get(i);
                for (long point : points.get(i)) {
                    span = span.narrowed(point, probes.next(), moments.get(i));
                }
                narrowed.add(span);
            }
            spans = narrowed;
        }
        return spans.stream().map(Span::before).toList();
    }

    /**
     * All that is kept. What is behind the horizon is going or gone: each look-up there would pass over every row that
     * was removed and not yet cleared away.
     */
    private static Span log(Tx tx, View all) {
        return tx.sql(all, """
                select k.event_seq, coalesce((select h.seq from event_horizon h where {h}), 0) as gone
                from organization_clock k where {k}""").single(Span::retained);
    }

    /**
     * Where the last event before a moment is.
     *
     * @param before the number of an event before the moment, or 0
     * @param after a number behind which every event is at the moment or later
     */
    private record Span(long before, long after) {
        static Span retained(Row row) {
            return new Span(row.longer("gone"), row.longer("event_seq") + 1);
        }

        boolean isOpen() {
            return before + 1 < after;
        }

        /** Numbers within it, at even distances. */
        List<Long> points(int ways) {
            return LongStream.range(1, ways)
                    .map(part -> before + (after - before) * part / ways)
                    .filter(point -> point > before)
                    .distinct()
                    .boxed()
                    .toList();
        }

        /** The part of it on one side of a number, of which the first event is known. */
        Span narrowed(long point, Probe probe, Instant moment) {
            return probe.at.isBefore(moment)
                    ? new Span(Math.max(before, probe.seq), after)
                    : new Span(before, Math.min(after, point));
        }
    }

    /** The first event at or after each of these numbers; behind the last event, the end of time. */
    private static List<Probe> probe(Tx tx, View all, Long[] numbers) {
        return tx.sql(all, """
                select f.seq, f.at from unnest(:numbers::bigint[]) with ordinality as n (number, place)
                left join lateral (select e.seq, e.at from event e where {e} and e.seq >= n.number
                                   order by e.seq limit 1) as f on true
                order by n.place""").bind("numbers", numbers).list(row -> {
            Instant at = row.instantOrNull("at");
            return new Probe(row.longer("seq"), at == null ? Instant.MAX : at);
        });
    }
}
