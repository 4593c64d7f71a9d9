package dev.inboxd.webhook;

import dev.inboxd.database.Batched;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.event.EventType;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The delivery rows after the event log has made them. */
final class DeliverySql {
    private static final int SLICE = 500;

    private static final Batched<Delivery> REMOVE = Batched.of("""
            delete from delivery d using {rows} as s
            where {d} and d.seq = s.seq and d.webhook_id = s.webhook_id""",
            Batched.bigint("seq", Delivery::seq), Batched.text("webhook_id", Delivery::webhook));

    private static final Batched<Settlements.Failed> FAIL = Batched.of("""
            update delivery d
            set attempts = f.attempts, due_at = {now} + make_interval(secs => f.pause),
                failed_at = case when f.pause is null then {now} end,
                payload = coalesce(d.payload, f.payload), last_error = f.error
            from {rows} as f
            where {d} and d.seq = f.seq and d.webhook_id = f.webhook_id and d.attempts = f.attempts - 1""",
            Batched.bigint("seq", failed -> failed.delivery().seq()),
            Batched.text("webhook_id", failed -> failed.delivery().webhook()),
            Batched.integer("attempts", Settlements.Failed::attempt),
            Batched.integer("pause", Settlements.Failed::pauseSeconds),
            Batched.bytes("payload", Settlements.Failed::payload), Batched.text("error", Settlements.Failed::error));

    private DeliverySql() {}

    /** A webhook with something due. */
    record Due(UUID organization, String webhook) {}

    /** A row this node has taken. */
    record Claimed(String webhook, long seq, int attempts) {}

    /**
     * What a delivery row and its event say.
     *
     * @param details the event's own members as JSON text, or null
     * @param payload the bytes of the first attempt that failed, or null
     * @param gone whether it tells of a received message that was deleted meanwhile
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Known(EventType type, Instant at, @Nullable UUID message, @Nullable String details,
            byte @Nullable [] payload, boolean gone) {}

    /**
     * Which enabled webhooks have something due, without those that have no room for it: one probe of the index for
     * each, however long the queue of any of them is.
     */
    static List<Due> due(Tx tx, List<String> full) {
        return tx.sqlAcross("""
                select w.organization_id, w.webhook_id from webhook w
                where w.enabled and not (w.webhook_id = any (:full)) and exists (
                    select 1 from delivery d where d.organization_id = w.organization_id
                      and d.webhook_id = w.webhook_id and d.due_at <= {now})
                limit 1000""")
                .bind("full", full).list(row -> new Due(row.uuid("organization_id"), row.text("webhook_id")));
    }

    /** Takes what is due of some enabled webhooks, of each as much as it has room for. */
    static List<Claimed> claim(Tx tx, View view, List<String> webhooks, List<Integer> rooms) {
        return tx.sql(view, """
                update delivery d set due_at = {now} + make_interval(secs => :lease)
                from unnest(:webhooks::text[], :rooms::int[]) as r (webhook_id, room)
                join webhook w on w.organization_id = {organization} and w.webhook_id = r.webhook_id and w.enabled
                cross join lateral (
                    select c.seq from delivery c
                    where {c} and c.webhook_id = r.webhook_id and c.due_at <= {now}
                    order by c.due_at limit r.room) as c
                where {d} and d.webhook_id = r.webhook_id and d.seq = c.seq
                returning d.webhook_id, d.seq, d.attempts""")
                .bind("lease", (double) Delivery.LEASE.toSeconds())
                .bind("webhooks", webhooks).bind("rooms", rooms.toArray(Integer[]::new))
                .list(row -> new Claimed(row.text("webhook_id"), row.longer("seq"), row.integer("attempts")));
    }

    /** What is known of a delivery; empty when it is settled or was called off. */
    static Optional<Known> find(Tx tx, View view, String webhook, long seq) {
        return tx.sql(view, """
                select e.type, e.at, e.message_id, e.details::text as details, d.payload,
                       e.type like 'message.received%' and e.message_id is not null and not exists (
                           select 1 from message m where m.organization_id = e.organization_id
                             and m.message_id = e.message_id) as gone
                from delivery d join event e on e.organization_id = d.organization_id and e.seq = d.seq
                where {d} and d.seq = :seq and d.webhook_id = :webhook and d.due_at is not null""")
                .bind("seq", seq).bind("webhook", webhook)
                .first(row -> new Known(Objects.requireNonNull(EventType.ofWire(row.text("type"))), row.instant("at"),
                        row.uuidOrNull("message_id"), row.textOrNull("details"), row.bytesOrNull("payload"),
                        row.flag("gone")));
    }

    /** Removes rows that are done with. */
    static void remove(RoundTrip trip, View view, List<Delivery> done) {
        trip.change(view, REMOVE, done);
    }

    /** Notes failed attempts: due again after the schedule's pause, or given up. A stale result changes nothing. */
    static void fail(RoundTrip trip, View view, List<Settlements.Failed> failed) {
        trip.change(view, FAIL, failed);
    }

    /** One success forgets all failures of a webhook. */
    static void recovered(RoundTrip trip, View view, List<String> webhooks) {
        if (!webhooks.isEmpty()) {
            trip.change(view, "update webhook w set failing_since = null"
                    + " where {w} and w.webhook_id = any (:webhooks) and w.failing_since is not null",
                    "webhooks", webhooks);
        }
    }

    /** Marks webhooks as failing, and disables those that have done nothing else for five days; tells which. */
    static RoundTrip.Pending<String> failing(RoundTrip trip, View view, List<String> webhooks) {
        return trip.look(view, """
                update webhook w
                set failing_since = coalesce(w.failing_since, {now}), enabled = w.failing_since is null,
                    updated_at = case when w.failing_since is null then w.updated_at else {now} end
                where {w} and w.webhook_id = any (:webhooks) and w.enabled
                  and (w.failing_since is null or w.failing_since <= {now} - make_interval(secs => :limit))
                returning case when w.enabled then '' else w.webhook_id end as disabled""",
                row -> row.text("disabled"), "webhooks", webhooks, "limit", (double) Schedule.FAILING.toSeconds());
    }

    /**
     * Removes a slice of what waits for a webhook that is gone or disabled.
     *
     * @return whether nothing is left
     */
    static boolean cancel(Tx tx, View view, String webhook) {
        return tx.sql(view, """
                delete from delivery d using (
                    select c.seq from delivery c where {c} and c.webhook_id = :webhook and c.due_at is not null
                      and not exists (select 1 from webhook w where {w} and w.webhook_id = :webhook and w.enabled)
                    limit :slice) as c
                where {d} and d.webhook_id = :webhook and d.seq = c.seq""")
                .bind("webhook", webhook).bind("slice", SLICE).run() < SLICE;
    }

    /** Organizations with deliveries that were given up longer ago than they are kept. */
    static List<UUID> expired(Tx tx) {
        return tx.sqlAcross("select distinct d.organization_id from (select d.organization_id from delivery d"
                + " where d.failed_at <= {now} - make_interval(secs => :kept) limit 1000) as d")
                .bind("kept", (double) Schedule.KEPT.toSeconds()).list(row -> row.uuid("organization_id"));
    }

    /** Removes a slice of them. */
    static void sweep(Tx tx, View view) {
        tx.sql(view, """
                delete from delivery d using (
                    select c.seq, c.webhook_id from delivery c
                    where {c} and c.failed_at <= {now} - make_interval(secs => :kept) limit :slice) as c
                where {d} and d.seq = c.seq and d.webhook_id = c.webhook_id""")
                .bind("kept", (double) Schedule.KEPT.toSeconds()).bind("slice", SLICE).run();
    }

    /** Organizations with first attempts that somebody was about to make. */
    static List<UUID> leased(Tx tx) {
        return tx.sqlAcross("""
                select distinct w.organization_id from webhook w
                where exists (
                    select 1 from delivery d where d.organization_id = w.organization_id
                      and d.webhook_id = w.webhook_id and d.due_at > {now} and d.attempts = 0)""")
                .list(row -> row.uuid("organization_id"));
    }

    /** Takes these leases back. A retry keeps its time: its lease cannot be told from its schedule, and is short. */
    static void release(Tx tx, View view) {
        tx.sql(view, "update delivery d set due_at = {now} where {d} and d.due_at > {now} and d.attempts = 0").run();
    }
}
