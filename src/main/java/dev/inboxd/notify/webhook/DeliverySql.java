package dev.inboxd.notify.webhook;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The delivery rows after the event log has made them. */
final class DeliverySql {
    private static final int SLICE = 500;

    /** Of a thread with attachments each counts as much as its row. */
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
                left join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id and not i.deleting
                left join event_thread t on t.organization_id = e.organization_id and t.seq = e.seq
                where {d} and d.seq = r.seq and d.webhook_id is not distinct from r.webhook_id and d.due_at is not null offset 0) as f""",
            RowStatement.bigint("seq", WebhookDelivery::seq),
            RowStatement.text("webhook_id", WebhookDelivery::webhook));

    private static final RowStatement<WebhookDelivery> STORED = RowStatement.of(
            """
            select d.* from {rows} as r cross join lateral (
                select d.seq, d.payload from delivery d
                where {d} and d.seq = r.seq and d.webhook_id is not distinct from r.webhook_id and d.payload is not null offset 0) as d""",
            RowStatement.bigint("seq", WebhookDelivery::seq),
            RowStatement.text("webhook_id", WebhookDelivery::webhook));

    private DeliverySql() {}

    /** A webhook with something due. */
    record DueWebhook(UUID organization, String webhook) {}

    /** A row this node has taken. */
    record ClaimedDelivery(String webhook, long seq, int attempts) {}

    /**
     * What a delivery row and its event say.
     *
     * @param stored whether the row has the bytes of the first attempt that failed
     * @param deleted whether it tells of a received message that was deleted meanwhile, or whose inbox was
     * @param isEnabled whether it still says what was written with it: the message's thread shows no other's attachments,
     *     which may be deleted, and no attempt has stored other bytes
     * @param bytes about how many are to be read for its payload
     */
    record DeliveryRow(Payloads.EventRow event, boolean stored, boolean deleted, boolean isEnabled, long bytes) {}

    /** The bytes that the row of an event's delivery has. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredPayload(long seq, byte[] payload) {}

    /**
     * Which enabled webhooks have something due, without those that have no room for it: one probe of the index for
     * each, however long the queue of any of them is.
     */
    static List<DueWebhook> due(Tx tx, List<String> full) {
        return tx.sqlAcrossTenants("""
                select w.organization_id, w.webhook_id from webhook w
                where w.enabled and not (w.webhook_id = any (:full)) and exists (
                    select 1 from delivery d where d.organization_id = w.organization_id
                      and d.webhook_id = w.webhook_id and d.due_at <= {now}
                      and (w.disabled_at is null or d.created_at > w.disabled_at))
                limit 1000""")
                .bind("full", full)
                .list(row -> new DueWebhook(row.uuid("organization_id"), row.text("webhook_id")));
    }

    /**
     * Takes what is due of some enabled webhooks, of each as much as it has room for. By the place where each row was just
     * found: found again by its key, the planner would rather read all that waits, for each. The organization's clock is
     * held, so nobody moves a row meanwhile.
     */
    static List<ClaimedDelivery> claim(Tx tx, View view, UUID node, List<String> webhooks, List<Integer> rooms) {
        return tx.sql(view, """
                update delivery d set due_at = {now} + make_interval(secs => :lease), claimed_by = :node
                from unnest(:webhooks::text[], :rooms::int[]) as r (webhook_id, room)
                join webhook w on w.organization_id = {organization} and w.webhook_id = r.webhook_id and w.enabled
                cross join lateral (
                    select c.ctid as place from delivery c
                    where {c} and c.webhook_id = r.webhook_id and c.due_at <= {now}
                      and (w.disabled_at is null or c.created_at > w.disabled_at)
                    order by c.due_at limit r.room) as c
                where d.ctid = c.place and d.organization_id is not distinct from {organization}
                returning d.webhook_id, d.seq, d.attempts""")
                .bind("lease", (double) WebhookDelivery.LEASE.toSeconds())
                .bind("node", node)
                .bind("webhooks", webhooks)
                .bind("rooms", rooms.toArray(Integer[]::new))
                .list(row -> new ClaimedDelivery(row.text("webhook_id"), row.longer("seq"), row.integer("attempts")));
    }

    /** Adds a look-up of what is known of deliveries; of one that is settled or was called off, nothing. */
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

    /** Adds a look-up of the payloads that rows of deliveries have. */
    static RoundTrip.Result<StoredPayload> stored(RoundTrip trip, View view, List<WebhookDelivery> deliveries) {
        return trip.query(view, STORED, deliveries, row -> new StoredPayload(row.longer("seq"), row.bytes("payload")));
    }

    /**
     * Some events that a webhook may be told of once more.
     *
     * @param after the number before the first
     * @param last the number of the last
     * @param most how many events to look at
     * @param at the time of the request: a later disabling calls them off
     */
    record ReplaySlice(String webhook, long after, long last, int most, Instant at) {}

    /**
     * Makes a delivery of each of these events that an enabled webhook subscribes to, unless one waits already.
     *
     * @return the numbers that were looked at, in their order
     */
    static List<Long> replay(Tx tx, View all, ReplaySlice replay) {
        return tx.sql(all, """
                with span as materialized (
                    select e.seq, e.type, e.pod_id, e.inbox_id, e.message_id, e.details from event e
                    where {e} and e.seq > :after and e.seq <= :last order by e.seq limit :most),
                made as (
                    insert into delivery (organization_id, seq, webhook_id, due_at, message_id, created_at)
                    select w.organization_id, e.seq, w.webhook_id, {now}, e.message_id, :at::timestamptz
                    from span e join webhook w on w.enabled and not w.polling and e.type = any (w.event_types)
                    where {w} and w.webhook_id = :webhook
                      and (w.pod_id is null or w.pod_id = e.pod_id) and (w.inbox_id is null or w.inbox_id = e.inbox_id)
                      and (w.pod_ids is null and w.inbox_ids is null
                           or e.pod_id = any (w.pod_ids) or e.inbox_id = any (w.inbox_ids))
                      and (e.details is not null or e.type like 'message.received%')
                    on conflict (organization_id, seq, webhook_id) do nothing returning seq)
                select e.seq from span e order by e.seq""")
                .bind("webhook", replay.webhook)
                .bind("after", replay.after)
                .bind("last", replay.last)
                .bind("most", replay.most)
                .bind("at", replay.at)
                .list(row -> row.longer("seq"));
    }

    /**
     * Forgets what became of the deliveries of a webhook that is gone, slice by slice, by their places as {@link #claim}
     * does; whether nothing is left.
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
                where a.organization_id is not distinct from {organization} and a.ctid = any (array(
                    select c.ctid from delivery_attempt c where {c} and c.webhook_id = :webhook
                      and not exists (select 1 from webhook w where {w} and w.webhook_id = :webhook)
                    limit :slice))""").bind("webhook", webhook).bind("slice", SLICE).run() < SLICE;
    }

    /**
     * Removes a slice of what waits for a webhook that is gone or disabled, or was disabled since.
     *
     * @return whether nothing is left
     */
    static boolean cancel(Tx tx, View view, String webhook) {
        return tx.sql(view, """
                delete from delivery d
                where d.organization_id is not distinct from {organization} and d.ctid = any (array(
                    select c.ctid from delivery c where {c} and c.webhook_id = :webhook
                      and not exists (select 1 from webhook w where {w} and w.webhook_id = :webhook
                          and (c.due_at is null or (w.enabled
                               and (w.disabled_at is null or c.created_at > w.disabled_at))))
                    limit :slice))""").bind("webhook", webhook).bind("slice", SLICE).run() < SLICE;
    }

    /** Organizations with deliveries that were given up longer ago than they are kept. */
    static List<UUID> expired(Tx tx) {
        return tx.sqlAcrossTenants("select distinct d.organization_id from (select d.organization_id from delivery d"
                        + " where d.failed_at <= {now} - make_interval(secs => :kept) limit 1000) as d")
                .bind("kept", (double) RetrySchedule.RETENTION.toSeconds())
                .list(row -> row.uuid("organization_id"));
    }

    /** Removes a slice of them. */
    static void deleteExpired(Tx tx, View view) {
        tx.sql(view, """
                delete from delivery d
                where d.organization_id is not distinct from {organization} and d.ctid = any (array(
                    select c.ctid from delivery c
                    where c.organization_id is not distinct from {organization}
                      and c.failed_at <= {now} - make_interval(secs => :kept) order by c.failed_at limit :slice))""")
                .bind("kept", (double) RetrySchedule.RETENTION.toSeconds())
                .bind("slice", SLICE)
                .run();
    }

    /** Organizations with attempts that a node was about to make, or any other node when it is null. */
    static List<UUID> claimed(Tx tx, @Nullable UUID node) {
        return tx.sqlAcrossTenants("select distinct d.organization_id from delivery d where d.claimed_by is not null"
                        + " and (:node::uuid is null or d.claimed_by = :node)")
                .bind("node", node)
                .list(row -> row.uuid("organization_id"));
    }

    /** Frees these attempts. */
    static void release(Tx tx, View view, @Nullable UUID node) {
        tx.sql(
                        view,
                        "update delivery d set due_at = {now}, claimed_by = null where {d} and d.claimed_by is not null"
                                + " and d.due_at is not null and (:node::uuid is null or d.claimed_by = :node)")
                .bind("node", node)
                .run();
    }
}
