package dev.inboxd.event;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Converts times to event numbers. Within an organization both grow together, so no index on the time is needed. */
public final class EventTimes {
    private EventTimes() {}

    private record Found(long seq, Instant at) {}

    /**
     * The number of the last event before a moment; 0 when there is none. A binary search with a few dozen look-ups by
     * key.
     *
     * @param all the whole organization
     */
    public static long lastBefore(Tx tx, View all, Instant moment) {
        return lastBefore(tx, all, List.of(moment)).getFirst();
    }

    /** The same for several moments, searched together. */
    public static List<Long> lastBefore(Tx tx, View all, List<Instant> moments) {
        long end = 1
                + tx.sql(all, "select k.event_seq from organization_clock k where {k}")
                        .one(row -> row.longer("event_seq"));
        Long[] before = new Long[moments.size()];
        Long[] after = new Long[moments.size()];
        Arrays.fill(before, 0L);
        Arrays.fill(after, end);
        boolean narrowed = true;
        while (narrowed) {
            narrowed = false;
            Long[] middles = new Long[moments.size()];
            for (int i = 0; i < middles.length; i++) {
                middles[i] = before[i] + (after[i] - before[i]) / 2;
            }
            List<Found> found = probe(tx, all, middles);
            for (int i = 0; i < middles.length; i++) {
                if (before[i] + 1 < after[i]) {
                    if (found.get(i).at.isBefore(moments.get(i))) {
                        before[i] = found.get(i).seq;
                    } else {
                        after[i] = middles[i];
                    }
                    narrowed = true;
                }
            }
        }
        return List.of(before);
    }

    /** The first event at or after each of these numbers; behind the last event, the end of time. */
    private static List<Found> probe(Tx tx, View all, Long[] numbers) {
        return tx.sql(all, """
                select f.seq, f.at from unnest(:numbers::bigint[]) with ordinality as n (number, place)
                left join lateral (select e.seq, e.at from event e where {e} and e.seq >= n.number
                                   order by e.seq limit 1) as f on true
                order by n.place""").bind("numbers", numbers).list(row -> {
            Instant at = row.instantOrNull("at");
            return new Found(row.longer("seq"), at == null ? Instant.MAX : at);
        });
    }
}
