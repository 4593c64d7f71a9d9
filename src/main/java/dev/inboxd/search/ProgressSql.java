package dev.inboxd.search;

import dev.inboxd.database.Batched;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import java.util.List;
import java.util.UUID;

/**
 * How far the index of each organization has come, as a number of its clock: everything up to it is in the index. So
 * what a crash left over is found again, and two nodes never index the same mail twice.
 */
final class ProgressSql {
    private static final Batched<Long> MOVED = Batched.of("select {tenant}p.seq from {rows} as r"
            + " join search_progress p on {p} and p.seq <> r.seq", Batched.bigint("seq", seq -> seq));

    private static final Batched<Long> ADVANCE = Batched.of("insert into search_progress as p (organization_id, seq)"
            + " select {organization}, r.seq from {rows} as r"
            + " on conflict (organization_id) do update set seq = excluded.seq", Batched.bigint("seq", seq -> seq));

    private ProgressSql() {}

    /** Where the index and the organization are. */
    record Progress(long indexed, long clock) {}

    static Progress read(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), "select coalesce((select p.seq from search_progress p where {p}), 0) as seq,"
                + " coalesce((select k.event_seq from organization_clock k where {k}), 0) as clock")
                .one(row -> new Progress(row.longer("seq"), row.longer("clock")));
    }

    /** Looks, under the organization's clock, whether somebody else has moved on from there meanwhile: a row if so. */
    static RoundTrip.Pending<Long> lookMoved(RoundTrip opening, View view, long from) {
        return opening.look(view, MOVED, List.of(from), row -> row.longer("seq"));
    }

    /**
     * Moves on under the organization's clock.
     *
     * @param to where the index is now; when nothing came in between, our own number is passed over as well
     * @param own our own number
     */
    static void advance(RoundTrip writes, View view, long to, long own) {
        writes.change(view, ADVANCE, List.of(own == to + 1 ? own : to));
    }

    /**
     * Passes over a change of our own, when nothing else came before it.
     *
     * @return its number
     */
    static long skipOwn(Tx tx, UUID organization) {
        long own = tx.next().number();
        tx.sql(View.of(organization), "update search_progress p set seq = :own where {p} and p.seq = :own - 1")
                .bind("own", own).run();
        return own;
    }

    /** Organizations that have changed since they were indexed; a change need not be mail. */
    static List<UUID> behind(Tx tx, int limit) {
        return tx.sqlAcross("select k.organization_id from organization_clock k left join search_progress p"
                + " on p.organization_id = k.organization_id where k.event_seq > coalesce(p.seq, 0) limit :limit")
                .bind("limit", limit).list(row -> row.uuid("organization_id"));
    }
}
