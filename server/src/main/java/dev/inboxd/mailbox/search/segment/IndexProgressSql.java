package dev.inboxd.mailbox.search.segment;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The progress of the index of each organization, as a sequence number of its clock: all messages up to it are in the
 * index. So messages that a crash left out are found again, and two nodes never index a message twice.
 */
public final class IndexProgressSql {
    private static final RowStatement<UUID> READ = RowStatement.of("""
            select {tenant}k.event_seq as clock, coalesce(p.seq, 0) as seq, d.pod_id
            from {rows} as r
            join organization_clock k on {k} and k.organization_id = r.id
            join pod d on {d} and d.is_default
            left join search_progress p on {p}""", RowStatement.uuid("id", id -> id));

    private static final RowStatement<Long> MOVED = RowStatement.of(
            "select {tenant}p.seq from {rows} as r" + " join search_progress p on {p} and p.seq <> r.seq",
            RowStatement.bigint("seq", seq -> seq));

    private static final RowStatement<Long> ADVANCE = RowStatement.of(
            "insert into search_progress as p (organization_id, seq)"
                    + " select {organization}, r.seq from {rows} as r"
                    + " on conflict (organization_id) do update set seq = excluded.seq",
            RowStatement.bigint("seq", seq -> seq));

    private static final RowStatement<Long> SKIP_OWN = RowStatement.of(
            "update search_progress p set seq = r.own from {rows} as r" + " where {p} and p.seq = r.own - 1",
            RowStatement.bigint("own", own -> own));

    private IndexProgressSql() {}

    /**
     * The progress of the index and the clock of an organization.
     *
     * @param scopes the scopes of the organization, each with its own index
     */
    public record Progress(long indexed, long clock, IndexScopes scopes) {}

    /**
     * The progress of those of the organizations that exist. All changes that a clock counts are committed when this
     * returns.
     */
    public static Map<UUID, Progress> read(Tx tx, Collection<UUID> organizations) {
        Map<UUID, RoundTrip.Result<Progress>> results = new LinkedHashMap<>();
        Map<UUID, UUID> organizationIds = new LinkedHashMap<>();
        organizations.forEach(id -> organizationIds.put(id, id));
        tx.acrossTenants(
                organizationIds,
                (trip, view, id) -> results.put(
                        id,
                        trip.query(
                                view,
                                READ,
                                List.of(id),
                                row -> new Progress(
                                        row.longer("seq"),
                                        row.longer("clock"),
                                        new IndexScopes(id, row.uuid("pod_id"))))));
        Map<UUID, Progress> progress = new LinkedHashMap<>();
        results.forEach((id, rows) -> rows.rows().forEach(row -> progress.put(id, row)));
        return progress;
    }

    /**
     * Adds a look-up, under the organization's clock, whether another node has moved the index on from a number: a row
     * if so.
     */
    public static RoundTrip.Result<Long> prefetchMoved(RoundTrip opening, View view, long from) {
        return opening.query(view, MOVED, List.of(from), row -> row.longer("seq"));
    }

    /**
     * Moves the index on, under the organization's clock.
     *
     * @param to the last indexed number; when no change followed it, this transaction's number is skipped as well
     * @param own this transaction's number
     */
    public static void advance(RoundTrip writes, View view, long to, long own) {
        writes.change(view, ADVANCE, List.of(own == to + 1 ? own : to));
    }

    /** Skips this transaction's number, when no other change came before it. */
    public static void skipOwn(RoundTrip writes, View view, long own) {
        writes.change(view, SKIP_OWN, List.of(own));
    }

    /** Now, when an organization has changed since it was indexed; the changes may have no new messages. */
    public static final String NEXT = "select {now} from organization_clock c where c.organization_id = {organization}"
            + " and c.event_seq > coalesce((select p.seq from search_progress p"
            + " where p.organization_id = {organization}), 0)";
}
