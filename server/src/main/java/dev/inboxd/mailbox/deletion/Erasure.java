package dev.inboxd.mailbox.deletion;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.content.SharedChunkSql;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Deletes everything of a message (promise P19): its rows, its content, its queued recipients, its webhook deliveries.
 * Signed links find no row and open nothing. What remains is the inbox feed: ids and labels, no content.
 */
final class Erasure {
    /** The largest number of messages deleted in one transaction. */
    static final int SLICE = 200;

    private static final List<String> STATEMENTS = List.of(
            """
            update search_run r set deleted = r.deleted + w.messages, stale_at = least(r.stale_at, {now})
            from (select s.scope_id, x.run, count(*)::integer as messages
                  from message m
                  cross join lateral (values (m.inbox_id), (m.pod_id), (m.organization_id)) as s (scope_id)
                  cross join lateral (
                      select y.run from search_run y
                      where y.organization_id = {organization} and y.scope_id = s.scope_id and y.live
                        and y.newest >= m.created_at
                      order by y.newest limit 1) as x
                  where m.organization_id = {organization} and m.message_id = any (:ids)
                  group by s.scope_id, x.run) as w
            where r.organization_id = {organization} and r.scope_id = w.scope_id and r.run = w.run""",
            """
            delete from delivery d where d.organization_id = {organization} and d.seq in (
                select e.seq from event e
                where e.organization_id = {organization} and e.message_id = any (:ids))""",
            """
            delete from event_thread d where d.organization_id = {organization} and d.seq in (
                select e.seq from event e
                where e.organization_id = {organization} and e.message_id = any (:ids))""",
            """
            update event e set details = null, restricted = m.restricted
            from message m where e.organization_id = {organization} and e.message_id = any (:ids)
                             and m.organization_id = {organization} and m.message_id = e.message_id""",
            """
            delete from submission_recipient r where r.organization_id = {organization} and r.submission_id in (
                select s.submission_id from submission s
                where s.organization_id = {organization} and s.message_id = any (:ids))""",
            "delete from submission d where d.organization_id = {organization} and d.message_id = any (:ids)");

    /** The deletion of a message reduces the organization's counts; the caller holds the clock. */
    private static final String MESSAGES = """
            with gone as (delete from message d where d.organization_id = {organization} and d.message_id = any (:ids)
                          returning d.size)
            update organization_clock k set messages = k.messages - g.messages, bytes = k.bytes - g.bytes
            from (select count(*) as messages, coalesce(sum(size), 0)::bigint as bytes from gone) as g
            where k.organization_id = {organization}""";

    private Erasure() {}

    /**
     * Adds the removal of some messages to a round trip.
     *
     * @return the names of the blobs to delete after the commit: a blob without a row is garbage, a row without its
     *     blob would be a loss
     */
    static RoundTrip.Result<String> appendTo(RoundTrip trip, View all, Collection<UUID> messages) {
        UUID[] ids = messages.toArray(UUID[]::new);
        RoundTrip.Result<String> blobs = SharedChunkSql.appendDelete(trip, all, ids);
        STATEMENTS.forEach(sql -> trip.change(all, sql, "ids", ids));
        for (String table : List.of(
                "search_text",
                "spam_mark",
                "attachment",
                "sent_draft",
                "calendar_message",
                "message_security",
                "security_feedback",
                "message_content")) {
            trip.change(
                    all,
                    "delete from " + table + " d where d.organization_id = {organization}"
                            + " and d.message_id = any (:ids)",
                    "ids",
                    ids);
        }
        trip.change(all, MESSAGES, "ids", ids);
        return blobs;
    }
}
