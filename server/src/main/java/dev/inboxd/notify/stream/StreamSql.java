package dev.inboxd.notify.stream;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** SQL on the event log, for its listeners. */
final class StreamSql {
    private StreamSql() {}

    /** An organization and the last sequence number of its clock. */
    record Head(UUID organization, long number) {}

    /**
     * A range of the log.
     *
     * @param after the sequence number of the last known entry
     * @param upTo the last sequence number, at most the head
     * @param inboxes restricts the range to these inboxes, or null
     */
    record LogRange(long after, long upTo, @Nullable Collection<UUID> inboxes, int most) {}

    /**
     * The last sequence number of an organization. All events up to it are committed and seen by every later statement,
     * because no other transaction takes a number before the commit.
     */
    static long head(Tx tx, View all) {
        return tx.sql(all, "select k.event_seq from organization_clock k where {k}")
                .first(row -> row.longer("event_seq"))
                .orElse(0L);
    }

    /** What is kept of the log of an organization, up to its last sequence number. */
    static StreamCursor.LogExtent extent(Tx tx, View all) {
        return tx.sql(all, """
                select k.event_seq, coalesce((select h.seq from event_horizon h where {h}), 0) as horizon
                from organization_clock k where {k}""")
                .first(row -> new StreamCursor.LogExtent(row.longer("horizon"), row.longer("event_seq")))
                .orElse(new StreamCursor.LogExtent(0, 0));
    }

    /** The last sequence numbers of several organizations in one statement. */
    static List<Head> heads(Tx tx, Collection<UUID> organizations) {
        return tx.sqlAcrossTenants("select k.organization_id, k.event_seq from organization_clock k"
                        + " where k.organization_id = any (:organizations)")
                .bind("organizations", organizations.toArray(UUID[]::new))
                .list(row -> new Head(row.uuid("organization_id"), row.longer("event_seq")));
    }

    /** The rows of a range within the view's pod or inbox, oldest first; those hidden from the caller are included. */
    static List<LoggedEvent> rows(Tx tx, View view, LogRange range) {
        Collection<UUID> inboxes = range.inboxes();
        return tx.sql(
                        view,
                        """
                select e.seq, e.at, e.type, e.pod_id, e.inbox_id, i.address as inbox_name, e.message_id,
                       e.message_name, e.labels, coalesce(m.restricted, e.restricted) as restricted,
                       coalesce(least(e.at, m.created_at), e.at) as mail_at, e.details::text as details,
                       e.message_id is not null and (m.message_id is null or i.inbox_id is null or i.deleting) as gone
                from event e
                left join inbox i on i.organization_id = {organization} and i.inbox_id = e.inbox_id
                left join message m on m.organization_id = {organization} and m.message_id = e.message_id
                where {e} and e.seq > :after::bigint - :labels and e.seq + coalesce(cardinality(e.labels), 0) > :after
                  and e.seq <= :upto"""
                                + (inboxes == null ? "" : " and e.inbox_id = any (:inboxes)")
                                + " order by e.seq limit :most")
                .bind("after", range.after())
                .bind("labels", LoggedEvent.MOST_LABELS)
                .bind("upto", range.upTo())
                .bind("inboxes", inboxes == null ? null : inboxes.toArray(UUID[]::new))
                .bind("most", range.most())
                .list(LoggedEvent::read);
    }
}
