package dev.inboxd.event;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;

/**
 * From where on the log of an organization is kept. Events up to the horizon are gone, or go soon: it moves on some
 * time before they are removed, so that nobody who looked at it before a page misses an event within it (decision
 * 0079).
 */
public final class EventHorizon {
    private EventHorizon() {}

    /**
     * The number up to which events are not kept; 0 when the whole log is.
     *
     * @param all the whole organization
     */
    public static long of(Tx tx, View all) {
        return tx.sql(all, "select h.seq from event_horizon h where {h}")
                .first(row -> row.longer("seq"))
                .orElse(0L);
    }

    /** The horizon once it was told of for so many seconds; 0 before. */
    static long announcedFor(Tx tx, View all, long seconds) {
        return tx.sql(
                        all,
                        "select h.seq from event_horizon h"
                                + " where {h} and h.moved_at <= {now} - make_interval(secs => :told)")
                .bind("told", (double) seconds)
                .first(row -> row.longer("seq"))
                .orElse(0L);
    }

    /** Moves the horizon on to a number; never back. */
    public static void move(Tx tx, View all, long number) {
        tx.sql(all, """
                insert into event_horizon as h (organization_id, seq, moved_at) values ({organization}, :number, {now})
                on conflict (organization_id) do update set seq = excluded.seq, moved_at = excluded.moved_at
                where h.seq < excluded.seq""").bind("number", number).run();
    }
}
