package dev.inboxd.notify.webhook;

import dev.inboxd.platform.database.Batched;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.View;
import java.util.List;
import java.util.UUID;

/** What the rows undergo when attempts have been made; each statement can be of several organizations at once. */
final class SettlementSql {
    // Rows are changed by the places where they were just found, each by its event's number: while the planner knows
    // nothing
    // of a table it would rather read all that waits for the webhook, for each. What is compared with "is not distinct
    // from"
    // takes no index, and so leaves the one that is meant. The clock is held, so nobody moves a row meanwhile.

    private static final Batched<Delivery> REMOVE =
            Batched.of("""
            delete from delivery d using {rows} as s cross join lateral (
                select c.ctid as place from delivery c
                where {c} and c.seq = s.seq and c.webhook_id is not distinct from s.webhook_id offset 0) as c
            where d.ctid = c.place and d.organization_id is not distinct from {organization}""", Batched.bigint("seq", Delivery::seq), Batched.text("webhook_id", Delivery::webhook));

    private static final Batched<Settlements.Failed> FAIL = Batched.of(
            """
            update delivery d
            set attempts = f.attempts, due_at = {now} + make_interval(secs => f.pause::float8 / 1000), claimed_by = null,
                failed_at = case when f.pause is null then {now} end,
                payload = coalesce(d.payload, f.payload), last_error = f.error
            from {rows} as f cross join lateral (
                select c.ctid as place from delivery c
                where {c} and c.seq = f.seq and c.webhook_id is not distinct from f.webhook_id
                  and c.attempts = f.attempts - 1 offset 0) as c
            where d.ctid = c.place and d.organization_id is not distinct from {organization}""",
            Batched.bigint("seq", failed -> failed.delivery().seq()),
            Batched.text("webhook_id", failed -> failed.delivery().webhook()),
            Batched.integer("attempts", Settlements.Failed::attempt),
            Batched.bigint("pause", Settlements.Failed::pauseMillis),
            Batched.bytes("payload", Settlements.Failed::payload),
            Batched.text("error", Settlements.Failed::error));

    private static final Batched<Delivery> LET_GO = Batched.of(
            """
            update delivery d set due_at = {now}, claimed_by = null
            from {rows} as r cross join lateral (
                select c.ctid as place from delivery c
                where {c} and c.seq = r.seq and c.webhook_id is not distinct from r.webhook_id and c.attempts = r.attempts
                  and c.claimed_by = :node offset 0) as c
            where d.ctid = c.place and d.organization_id is not distinct from {organization}""",
            Batched.bigint("seq", Delivery::seq),
            Batched.text("webhook_id", Delivery::webhook),
            Batched.integer("attempts", Delivery::attempts));

    private static final Batched<Made> LOG = Batched.of(
            """
            insert into delivery_attempt (organization_id, webhook_id, seq, at, attempt, status, error, millis, answer)
            select {organization}, a.* from {rows} as a
            on conflict (organization_id, webhook_id, seq, at) do nothing""",
            Batched.text("webhook_id", made -> made.delivery().webhook()),
            Batched.bigint("seq", made -> made.delivery().seq()),
            Batched.time("at", Made::at),
            Batched.integer("attempt", Made::attempt),
            Batched.integer("status", Made::status),
            Batched.text("error", Made::error),
            Batched.integer("millis", Made::millis),
            Batched.text("answer", Made::answer));

    private static final Batched<String> RECOVERED = Batched.of("""
            update webhook w set failing_since = null
            from {rows} as r cross join lateral (
                select c.ctid as place from webhook c
                where {c} and c.webhook_id = r.webhook_id and c.failing_since is not null offset 0) as c
            where w.ctid = c.place and w.organization_id is not distinct from {organization}""", Batched.text("webhook_id", webhook -> webhook));

    /** The row that is returned is the new one: of one that goes on nothing is told. */
    private static final Batched<String> FAILING = Batched.of("""
            update webhook w
            set failing_since = coalesce(w.failing_since, {now}), enabled = w.failing_since is null,
                disabled_at = case when w.failing_since is null then w.disabled_at else (
                    select k.last_at from organization_clock k where k.organization_id = {organization}) end,
                updated_at = case when w.failing_since is null then w.updated_at else {now} end
            from {rows} as r cross join lateral (
                select c.ctid as place from webhook c
                where {c} and c.webhook_id = r.webhook_id and c.enabled and (c.failing_since is null
                   or c.failing_since <= {now} - make_interval(secs => :limit)) offset 0) as c
            where w.ctid = c.place and w.organization_id is not distinct from {organization}
            returning {tenant}case when w.enabled then '' else w.webhook_id end as disabled""", Batched.text("webhook_id", webhook -> webhook));

    private SettlementSql() {}

    /** Removes rows that are done with. */
    static void remove(RoundTrip trip, View view, List<Delivery> done) {
        trip.change(view, REMOVE, done);
    }

    /** Frees rows that this node has taken and has no room for. */
    static void letGo(RoundTrip trip, View view, UUID node, List<Delivery> refused) {
        trip.change(view, LET_GO, refused, "node", node);
    }

    /** Writes down what attempts came to. */
    static void log(RoundTrip trip, View view, List<Made> made) {
        trip.change(view, LOG, made);
    }

    /** Notes failed attempts: due again after the schedule's pause, or given up. A stale result changes nothing. */
    static void fail(RoundTrip trip, View view, List<Settlements.Failed> failed) {
        trip.change(view, FAIL, failed);
    }

    /** One success forgets all failures of a webhook. */
    static void recovered(RoundTrip trip, View view, List<String> webhooks) {
        trip.change(view, RECOVERED, webhooks);
    }

    /** Marks webhooks as failing, and disables those that have done nothing else for five days; tells which. */
    static RoundTrip.Pending<String> failing(RoundTrip trip, View view, List<String> webhooks) {
        return trip.look(
                view, FAILING, webhooks, row -> row.text("disabled"), "limit", (double) Schedule.FAILING.toSeconds());
    }
}
