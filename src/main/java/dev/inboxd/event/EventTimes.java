package dev.inboxd.event;

import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import java.time.Instant;
import java.util.Optional;

/** From times to numbers: within an organization both grow together, so that no index of times is needed. */
public final class EventTimes {
    private EventTimes() {}

    private record Found(long seq, Instant at) {}

    /**
     * The number of the last event before a moment; 0 when there is none. A few dozen probes of the key.
     *
     * @param all the whole organization
     */
    public static long lastBefore(Tx tx, View all, Instant moment) {
        long before = 0;
        long after = 1 + tx.sql(all, "select k.event_seq from organization_clock k where {k}")
                .one(row -> row.longer("event_seq"));
        while (before + 1 < after) {
            long middle = before + (after - before) / 2;
            Optional<Found> found = tx.sql(all, "select e.seq, e.at from event e where {e} and e.seq >= :middle"
                    + " order by e.seq limit 1").bind("middle", middle)
                    .first(row -> new Found(row.longer("seq"), row.instant("at")));
            if (found.isPresent() && found.get().at.isBefore(moment)) {
                before = found.get().seq;
            } else {
                after = middle;
            }
        }
        return before;
    }
}
