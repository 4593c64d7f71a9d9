package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.ClaimedRows;
import dev.inboxd.tenant.organization.EverythingStop;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** SQL on the delivery rows that the event log has inserted. */
public final class DeliverySql {
    private static final int SLICE = 500;

    /** Looks up deliveries. Each attachment of a thread counts 512 bytes, about the size of its row. */
    private static final RowStatement<WebhookDelivery> FIND = RowStatement.of(
            """
            select f.* from {rows} as r cross join lateral (
                select e.seq, e.at, e.type, e.message_id, e.details::text as details, d.payload is not null as stored,
                       e.type like 'message.received%' and e.message_id is not null
                           and (m.message_id is null or i.inbox_id is null) as gone,
                       d.payload is null and t.attachment_ids is null as stands,
                       coalesce(octet_length(d.payload), m.size + 512 * coalesce(cardinality(t.attachment_ids), 0),
                                octet_length(e.details::text), 0)::int8 as bytes
                from delivery d join event e on e.organization_id = d.organization_id and e.seq = d.seq
                left join message m on m.organization_id = e.organization_id and m.message_id = e.message_id
                left join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id
                and not i.deleting
                left join event_thread t on t.organization_id = e.organization_id and t.seq = e.seq
                where {d} and d.seq = r.seq and d.webhook_id is not distinct from r.webhook_id and d.due_at is not null
            offset 0) as f""",
            RowStatement.bigint("seq", WebhookDelivery::seq),
            RowStatement.text("webhook_id", WebhookDelivery::webhook));

    private static final RowStatement<WebhookDelivery> STORED = RowStatement.of(
            """
            select d.* from {rows} as r cross join lateral (
                select d.seq, d.payload from delivery d
                where {d} and d.seq = r.seq and d.webhook_id is not distinct from r.webhook_id and d.payload is not null
            offset 0) as d""",
            RowStatement.bigint("seq", WebhookDelivery::seq),
            RowStatement.text("webhook_id", WebhookDelivery::webhook));

    private DeliverySql() {}

    /** A webhook with due deliveries. */
    record DueWebhook(UUID organization, String webhook) {}

    /** A row that this node has claimed. */
    record ClaimedDelivery(String webhook, long seq, int attempts) {}

    /**
     * A delivery row and its event.
     *
     * @param stored whether the row has the bytes that the first failed attempt posted
     * @param deleted whether the event is about a received message that was deleted since, itself or with its inbox
     * @param isEnabled whether the payload rendered at the commit is still valid: the thread of the message shows no
     *     attachments of other messages, which may be deleted, and no failed attempt has stored other bytes
     * @param bytes approximate size of the payload in bytes
     */
    record DeliveryRow(Payloads.EventRow event, boolean stored, boolean deleted, boolean isEnabled, long bytes) {}

    /** The payload stored with a delivery. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredPayload(long seq, byte[] payload) {}

    /** When the next delivery to an enabled webhook is due; it probes the index once for each webhook. */
    static final String NEXT = """
            select min(n.due_at) from webhook w cross join lateral (
                select d.due_at from delivery d
                where d.organization_id = {organization} and d.webhook_id = w.webhook_id and d.due_at is not null
                  and (w.disabled_at is null or d.created_at > w.disabled_at)
                order by d.due_at limit 1) as n
            where w.organization_id = {organization} and w.enabled and""" + EverythingStop.NONE;

    /**
     * Enabled webhooks of an organization with due deliveries, without those whose queue is full. The query probes the
     * index once for each webhook, however many of its deliveries wait.
     */
    static List<String> due(Tx tx, View all, List<String> full) {
        return tx.sql(all, """
                select w.webhook_id from webhook w
                where {w} and w.enabled and not (w.webhook_id = any (:full)) and exists (
                    select 1 from delivery d where d.organization_id = {organization}
                      and d.webhook_id = w.webhook_id and d.due_at <= {now}
                      and (w.disabled_at is null or d.created_at > w.disabled_at))
                and""" + EverythingStop.NONE + " limit 1000")
                .bind("full", full)
                .list(row -> row.text("webhook_id"));
    }

    /**
     * Claims due deliveries of some enabled webhooks, for each as many as its queue has room for. Rows are updated by
     * ctid: found again by key, the planner would read all waiting rows for each of them. The transaction holds the
     * organization's clock row, so no other transaction moves a row meanwhile.
     */
    static List<ClaimedDelivery> claim(Tx tx, View view, UUID node, List<String> webhooks, List<Integer> rooms) {
        return tx.sql(view, """
                update delivery d
                set due_at = {now} + make_interval(secs => :lease), claimed_by = :node,
                    attempts = greatest(d.attempts, 0)
                from unnest(:webhooks::text[], :rooms::int[]) as r (webhook_id, room)
                join webhook w on w.organization_id = {organization} and w.webhook_id = r.webhook_id and w.enabled
                cross join lateral (
                    select c.ctid as place from delivery c
                    where {c} and c.webhook_id = r.webhook_id and c.due_at <= {now}
                      and (w.disabled_at is null or c.created_at > w.disabled_at)
                    order by c.due_at limit r.room) as c
                where d.ctid = c.place and {d found}
                returning d.webhook_id, d.seq, d.attempts""")
                .bind("lease", (double) WebhookDelivery.LEASE.toSeconds())
                .bind("node", node)
                .bind("webhooks", webhooks)
                .bind("rooms", rooms.toArray(Integer[]::new))
                .list(row -> new ClaimedDelivery(row.text("webhook_id"), row.longer("seq"), row.integer("attempts")));
    }

    /** Adds a query for the rows of deliveries. A delivery that has ended or was cancelled has no row. */
    static RoundTrip.Result<DeliveryRow> find(RoundTrip trip, View view, List<WebhookDelivery> deliveries) {
        return trip.query(
                view,
                FIND,
                deliveries,
                row -> new DeliveryRow(
                        Payloads.EventRow.read(row),
                        row.flag("stored"),
                        row.flag("gone"),
                        row.flag("stands"),
                        row.longer("bytes")));
    }

    /** Adds a query for the payloads stored with deliveries. */
    static RoundTrip.Result<StoredPayload> stored(RoundTrip trip, View view, List<WebhookDelivery> deliveries) {
        return trip.query(view, STORED, deliveries, row -> new StoredPayload(row.longer("seq"), row.bytes("payload")));
    }

    /**
     * A slice of events to replay to one webhook.
     *
     * @param after the sequence number before the first event
     * @param last the sequence number of the last event
     * @param most limit of events to read
     * @param at the time of the request: disabling the webhook later cancels the deliveries
     */
    public record ReplaySlice(String webhook, long after, long last, int most, Instant at) {}

    /**
     * Inserts a delivery for each of these events that the webhook, if enabled, subscribes to, unless one waits
     * already. Mail that was in the trash when it was told of is for no webhook, as when its event was appended.
     *
     * @return the sequence numbers of all events read, ascending
     */
    public static List<Long> replay(Tx tx, View all, ReplaySlice replay) {
        return tx.sql(all, """
                with span as materialized (
                    select e.seq, e.type, e.pod_id, e.inbox_id, e.message_id, e.details, e.restricted from event e
                    where {e} and e.seq > :after and e.seq <= :last order by e.seq limit :most),
                made as (
                    insert into delivery as d (organization_id, seq, webhook_id, due_at, message_id, created_at)
                    select w.organization_id, e.seq, w.webhook_id, {now}, e.message_id, :at::timestamptz
                    from span e join webhook w on w.enabled and not w.polling and e.type = any (w.event_types)
                    where {w} and w.webhook_id = :webhook
                      and (w.pod_id is null or w.pod_id = e.pod_id) and (w.inbox_id is null or w.inbox_id = e.inbox_id)
                      and (w.pod_ids is null and w.inbox_ids is null
                           or e.pod_id = any (w.pod_ids) or e.inbox_id = any (w.inbox_ids))
                      and (e.details is not null or (e.type like 'message.received%' and e.restricted & 8 = 0))
                    on conflict (organization_id, seq, webhook_id) do nothing returning d.seq)
                select e.seq from span e order by e.seq""")
                .bind("webhook", replay.webhook)
                .bind("after", replay.after)
                .bind("last", replay.last)
                .bind("most", replay.most)
                .bind("at", replay.at)
                .list(row -> row.longer("seq"));
    }

    /**
     * Deletes a slice of the delivery log of a deleted webhook, by ctid as {@link #claim} does.
     *
     * @return whether nothing is left
     */
    static boolean forget(Tx tx, View view, String webhook) {
        tx.sql(
                        view,
                        "delete from polling_consumer c where {c} and c.webhook_id = :webhook and not exists ("
                                + "select 1 from webhook w where {w} and w.webhook_id = :webhook)")
                .bind("webhook", webhook)
                .run();
        return tx.sql(view, """
                delete from delivery_attempt a
                where {a found} and a.ctid = any (array(
                    select c.ctid from delivery_attempt c where {c} and c.webhook_id = :webhook
                      and not exists (select 1 from webhook w where {w} and w.webhook_id = :webhook)
                    limit :slice))""").bind("webhook", webhook).bind("slice", SLICE).run() < SLICE;
    }

    /**
     * Deletes a slice of the deliveries that wait for a webhook that was deleted, is disabled, or was disabled after
     * they were made.
     *
     * @return whether nothing is left
     */
    static boolean cancel(Tx tx, View view, String webhook) {
        return tx.sql(view, """
                delete from delivery d
                where {d found} and d.ctid = any (array(
                    select c.ctid from delivery c where {c} and c.webhook_id = :webhook
                      and not exists (select 1 from webhook w where {w} and w.webhook_id = :webhook
                          and (c.due_at is null or (w.enabled
                               and (w.disabled_at is null or c.created_at > w.disabled_at))))
                    limit :slice))""").bind("webhook", webhook).bind("slice", SLICE).run() < SLICE;
    }

    /** When the next failed delivery of an organization is older than {@link RetrySchedule#RETENTION}. */
    static final String NEXT_EXPIRED = "select d.failed_at + make_interval(secs => "
            + RetrySchedule.RETENTION.toSeconds()
            + ") from delivery d where d.organization_id = {organization} and d.failed_at is not null"
            + " order by d.failed_at limit 1";

    /**
     * Deletes a slice of the failed deliveries older than {@link RetrySchedule#RETENTION}.
     *
     * @return whether nothing is left
     */
    static boolean deleteExpired(Tx tx, View view) {
        return tx.sql(view, """
                delete from delivery d
                where {d found} and d.ctid = any (array(
                    select c.ctid from delivery c
                    where {c}
                      and c.failed_at <= {now} - make_interval(secs => :kept) order by c.failed_at limit :slice))""")
                        .bind("kept", (double) RetrySchedule.RETENTION.toSeconds())
                        .bind("slice", SLICE)
                        .run()
                < SLICE;
    }

    /** Deliveries that nodes have claimed. */
    static final ClaimedRows CLAIMED = new ClaimedRows(
            "webhooks", "delivery", "claimed_by", "due_at", "c.claimed_by is not null and c.due_at is not null");

    /** Releases the claims of a node, except of what is being posted: the deliveries are due now. */
    static void release(Tx tx, View all, UUID node, Collection<WebhookDelivery> posted) {
        tx.sql(
                        all,
                        "update delivery d set due_at = {now}, claimed_by = null where {d}"
                                + " and d.claimed_by = :node and d.due_at is not null"
                                + " and (d.webhook_id, d.seq) not in (select p.webhook_id, p.seq"
                                + " from unnest(:webhooks::text[], :seqs::bigint[]) as p (webhook_id, seq))")
                .bind("node", node)
                .bind("webhooks", posted.stream().map(WebhookDelivery::webhook).toList())
                .bind("seqs", posted.stream().map(WebhookDelivery::seq).toArray(Long[]::new))
                .run();
    }
}
