package dev.inboxd.outbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** How much mail waits, over all organizations: an operator's figure, which no caller sees. */
final class QueueSizeSql {
    private static final int MOST_ROWS = 100_000;

    private QueueSizeSql() {}

    /**
     * The recipients in one state.
     *
     * @param recipients their number, counted up to 100,000 in all states together
     * @param since when the oldest submission among them was made
     */
    record QueueSize(long recipients, Instant since) {}

    /**
     * The sizes by state: queued before the first attempt, deferred after one, sending during it; states without mail
     * are left out. Reads a bounded part of the index of due rows, and one submission for each state: ids are in the
     * order of their time.
     */
    static Map<String, QueueSize> read(Database database) {
        return database.read(QueueSizeSql::read);
    }

    private static Map<String, QueueSize> read(Tx tx) {
        Map<String, QueueSize> sizes = new TreeMap<>();
        tx.sqlAcrossTenants("""
                select g.state, g.recipients, s.created_at
                from (select q.state, count(*) as recipients,
                             (array_agg(q.organization_id order by q.submission_id))[1] as organization_id,
                             (array_agg(q.submission_id order by q.submission_id))[1] as submission_id
                      from (select case when r.state = 'sending' then 'sending' when r.attempts > r.held then 'deferred'
                                   else 'queued' end as state, r.organization_id, r.submission_id
                            from submission_recipient r where r.due_at is not null limit :most) as q
                      group by q.state) as g
                join submission s on s.organization_id = g.organization_id and s.submission_id = g.submission_id""")
                .bind("most", MOST_ROWS)
                .list(row -> sizes.put(
                        row.text("state"), new QueueSize(row.longer("recipients"), row.instant("created_at"))));
        return sizes;
    }
}
