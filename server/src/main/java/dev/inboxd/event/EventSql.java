package dev.inboxd.event;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Inserts event and delivery rows. */
final class EventSql {
    private EventSql() {}

    record Line(Event event, Tx.Stamp stamp) {}

    record Match(long seq, String webhookId, boolean called) {}

    private static final RowStatement<Line> INSERT = RowStatement.of(
            """
            insert into event (organization_id, seq, at, type, pod_id, inbox_id, thread_id, message_id, message_name,
                               labels, restricted, details, messages, bytes, threads)
            select {organization}, e.* from {rows} as e""",
            RowStatement.bigint("seq", line -> line.stamp.number()),
            RowStatement.time("at", line -> line.stamp.at()),
            RowStatement.text("type", line -> line.event.type().wireName()),
            RowStatement.uuid("pod_id", line -> line.event.subject().pod()),
            RowStatement.uuid("inbox_id", line -> line.event.subject().inbox()),
            RowStatement.uuid("thread_id", line -> line.event.subject().thread()),
            RowStatement.uuid("message_id", line -> line.event.subject().message()),
            RowStatement.text("message_name", line -> line.event.subject().messageName()),
            RowStatement.texts("labels", line -> line.event.labels().isEmpty() ? null : line.event.labels()),
            RowStatement.integer("restricted", line -> line.event.subject().restricted()),
            RowStatement.json("details", line -> line.event.details()),
            RowStatement.integer(
                    "messages",
                    line -> line.event.usage() == null
                            ? null
                            : line.event.usage().messages()),
            RowStatement.bigint(
                    "bytes",
                    line -> line.event.usage() == null
                            ? null
                            : line.event.usage().bytes()),
            RowStatement.integer(
                    "threads",
                    line -> line.event.usage() == null
                            ? null
                            : line.event.usage().threads()));

    /** {@code offset 0} keeps the planner at the webhooks of the event's own organization, instead of all webhooks. */
    private static final String MATCHING = """
            insert into delivery as d (organization_id, seq, webhook_id, due_at, claimed_by, message_id, created_at)
            select w.organization_id, e.seq, w.webhook_id,
                   case when not w.polling
                        then {now} + make_interval(secs => case when w.full then 0 else :lease end) end,
                   case when not w.polling and not w.full then :node::uuid end, e.message_id, e.at
            from {rows} as e cross join lateral (
                select w.organization_id, w.webhook_id, w.polling,
                       :node::uuid is null or w.webhook_id = any (:full::text[]) or exists (
                           select from organization o where {o} and o.everything_stopped_at is not null) as full
                from webhook w
                where {w} and w.enabled and e.type = any (w.event_types)
                  and (w.pod_id is null or w.pod_id = e.pod_id) and (w.inbox_id is null or w.inbox_id = e.inbox_id)
                  and (w.pod_ids is null and w.inbox_ids is null
                       or e.pod_id = any (w.pod_ids) or e.inbox_id = any (w.inbox_ids)) offset 0) as w
            returning %sd.seq, d.webhook_id, coalesce(d.due_at > {now}, false) as called""";

    /**
     * One row for each enabled webhook that subscribes to the event, in the owner's scope and in its lists (events.md
     * §4.1). Due a little later: the committing node delivers at once from memory, and after that any node takes over
     * the row. For a polling webhook the row has no due time: it waits until it is fetched. For a webhook whose queue
     * is full, or while everything is stopped, the row is due at once and has no owner.
     */
    private static final RowStatement<Line> FAN_OUT = RowStatement.<Line>of(
                    MATCHING.formatted(""),
                    RowStatement.bigint("seq", line -> line.stamp.number()),
                    RowStatement.time("at", line -> line.stamp.at()),
                    RowStatement.text("type", line -> line.event.type().wireName()),
                    RowStatement.uuid("pod_id", line -> line.event.subject().pod()),
                    RowStatement.uuid("inbox_id", line -> line.event.subject().inbox()),
                    RowStatement.uuid("message_id", line -> line.event.subject().message()))
            .acrossTenants(MATCHING.formatted("d.organization_id as view_organization, "));

    static void insert(RoundTrip trip, View view, List<Line> lines) {
        trip.change(view, INSERT, lines);
    }

    /**
     * The delivering node.
     *
     * @param name id of the committing node, or null when it does not deliver
     * @param full the webhooks whose queues are full
     */
    record Node(@Nullable UUID name, List<String> full) {
        Node {
            full = List.copyOf(full);
        }
    }

    static RoundTrip.Result<Match> fanOut(RoundTrip trip, View view, List<Line> lines, Node node) {
        return trip.query(
                View.of(view.organization()),
                FAN_OUT,
                lines,
                row -> new Match(row.longer("seq"), row.text("webhook_id"), row.flag("called")),
                "lease",
                (double) EventLog.LEASE.toSeconds(),
                "node",
                node.name,
                "full",
                node.full.toArray(String[]::new));
    }
}
