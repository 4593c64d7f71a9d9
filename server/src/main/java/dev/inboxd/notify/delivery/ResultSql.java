package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import java.util.List;
import java.util.UUID;

/** Writes the results of attempts. Each statement takes rows of several organizations at once. */
final class ResultSql {
    // Rows are updated by ctid, found by the event's sequence number. While the planner has no statistics of a table,
    // it would rather read all rows that wait for the webhook, for each of them. A comparison with "is not distinct
    // from" uses no index, which leaves the planner the intended one. The transaction holds the clock row, so no other
    // transaction moves a row meanwhile.

    private static final RowStatement<WebhookDelivery> REMOVE = RowStatement.of(
            """
            delete from delivery d using {rows} as s cross join lateral (
                select c.ctid as place from delivery c
                where {c} and c.seq = s.seq and c.webhook_id is not distinct from s.webhook_id
                  and c.attempts >= 0 offset 0) as c
            where d.ctid = c.place and {d found}""",
            RowStatement.bigint("seq", WebhookDelivery::seq),
            RowStatement.text("webhook_id", WebhookDelivery::webhook));

    /** What was asked for again while it was attempted is due. */
    private static final RowStatement<WebhookDelivery> AGAIN = RowStatement.of(
            """
            update delivery d set due_at = {now}, claimed_by = null, attempts = 0
            from {rows} as s cross join lateral (
                select c.ctid as place from delivery c
                where {c} and c.seq = s.seq and c.webhook_id is not distinct from s.webhook_id
                  and c.attempts < 0 offset 0) as c
            where d.ctid = c.place and {d found}
            returning {tenant}d.webhook_id""",
            RowStatement.bigint("seq", WebhookDelivery::seq),
            RowStatement.text("webhook_id", WebhookDelivery::webhook));

    private static final RowStatement<ResultWriter.FailedAttempt> FAIL = RowStatement.of(
            """
            update delivery d
            set attempts = f.attempts, claimed_by = null,
                due_at = ({now} at time zone 'UTC' + make_interval(secs => f.pause::float8 / 1000)) at time zone 'UTC',
                failed_at = ({now} at time zone 'UTC' + case when f.pause is null then interval '0' end)
                    at time zone 'UTC',
                payload = coalesce(d.payload, f.payload), last_error = f.error
            from {rows} as f cross join lateral (
                select c.ctid as place from delivery c
                where {c} and c.seq = f.seq and c.webhook_id is not distinct from f.webhook_id
                  and c.attempts = f.attempts - 1 offset 0) as c
            where d.ctid = c.place and {d found}""",
            RowStatement.bigint("seq", failed -> failed.delivery().seq()),
            RowStatement.text("webhook_id", failed -> failed.delivery().webhook()),
            RowStatement.integer("attempts", ResultWriter.FailedAttempt::attempt),
            RowStatement.bigint("pause", ResultWriter.FailedAttempt::pauseMillis),
            RowStatement.bytes("payload", ResultWriter.FailedAttempt::payload),
            RowStatement.text("error", ResultWriter.FailedAttempt::error));

    /** Found by its key: the index of what a node has claimed does not serve "is not distinct from". */
    private static final RowStatement<WebhookDelivery> LET_GO = RowStatement.of(
            """
            update delivery d set due_at = {now}, claimed_by = null
            from {rows} as r cross join lateral (
                select c.ctid as place from delivery c
                where {c} and c.seq = r.seq and c.webhook_id is not distinct from r.webhook_id
                  and c.attempts = r.attempts and c.claimed_by is not distinct from :node offset 0) as c
            where d.ctid = c.place and {d found}""",
            RowStatement.bigint("seq", WebhookDelivery::seq),
            RowStatement.text("webhook_id", WebhookDelivery::webhook),
            RowStatement.integer("attempts", WebhookDelivery::attempts));

    private static final RowStatement<AttemptResult> LOG = RowStatement.of(
            """
            insert into delivery_attempt (organization_id, webhook_id, seq, at, attempt, status, error, millis, answer)
            select {organization}, a.* from {rows} as a
            on conflict (organization_id, webhook_id, seq, at) do nothing""",
            RowStatement.text("webhook_id", result -> result.delivery().webhook()),
            RowStatement.bigint("seq", result -> result.delivery().seq()),
            RowStatement.time("at", AttemptResult::at),
            RowStatement.integer("attempt", AttemptResult::attempt),
            RowStatement.integer("status", AttemptResult::status),
            RowStatement.text("error", AttemptResult::error),
            RowStatement.integer("millis", AttemptResult::millis),
            RowStatement.text("answer", AttemptResult::answer));

    private static final RowStatement.Column<String> WEBHOOK_ID = RowStatement.text("webhook_id", webhook -> webhook);

    private static final RowStatement<String> RECOVERED = RowStatement.of("""
            update webhook w set failing_since = null
            from {rows} as r cross join lateral (
                select c.ctid as place from webhook c
                where {c} and c.webhook_id = r.webhook_id and c.failing_since is not null offset 0) as c
            where w.ctid = c.place and {w found}""", WEBHOOK_ID);

    /** Returns the new row; for a webhook that stays enabled, an empty text. */
    private static final RowStatement<String> FAILING = RowStatement.of("""
            update webhook w
            set failing_since = least(w.failing_since, {now}), enabled = w.failing_since is null,
                disabled_at = case when w.failing_since is null then w.disabled_at else (
                    select k.last_at from organization_clock k where k.organization_id = {organization}) end,
                updated_at = greatest(w.updated_at, ({now} at time zone 'UTC'
                    + case when w.failing_since is not null then interval '0' end) at time zone 'UTC')
            from {rows} as r cross join lateral (
                select c.ctid as place from webhook c
                where {c} and c.webhook_id = r.webhook_id and c.enabled and (c.failing_since is null
                   or c.failing_since <= {now} - make_interval(secs => :limit)) offset 0) as c
            where w.ctid = c.place and {w found}
            returning {tenant}case when w.enabled then '' else w.webhook_id end as disabled""", WEBHOOK_ID);

    private ResultSql() {}

    /** Deletes deliveries that have ended. */
    static void remove(RoundTrip trip, View view, List<WebhookDelivery> done) {
        trip.change(view, REMOVE, done);
    }

    /** Makes deliveries due that were asked for again while they were attempted; returns their webhooks. */
    static RoundTrip.Result<String> again(RoundTrip trip, View view, List<WebhookDelivery> attempted) {
        return trip.query(view, AGAIN, attempted, row -> row.text("webhook_id"));
    }

    /** Releases rows that this node has claimed and has no room for. */
    static void releaseWith(RoundTrip trip, View view, UUID node, List<WebhookDelivery> refused) {
        trip.change(view, LET_GO, refused, "node", node);
    }

    /** Adds attempts to the delivery log. */
    static void log(RoundTrip trip, View view, List<AttemptResult> results) {
        trip.change(view, LOG, results);
    }

    /**
     * Updates the rows of failed attempts: due again after the pause of the schedule, or failed for good. A result of
     * an older attempt changes nothing.
     */
    static void fail(RoundTrip trip, View view, List<ResultWriter.FailedAttempt> failed) {
        trip.change(view, FAIL, failed);
    }

    /** Clears the failing state of webhooks: one success is enough. */
    static void recovered(RoundTrip trip, View view, List<String> webhooks) {
        trip.change(view, RECOVERED, webhooks);
    }

    /**
     * Marks webhooks as failing, and disables those that have only failed for {@link RetrySchedule#FAILING}; returns
     * the disabled ones.
     */
    static RoundTrip.Result<String> failing(RoundTrip trip, View view, List<String> webhooks) {
        return trip.query(view, FAILING, webhooks, row -> row.text("disabled"), "limit", (double)
                RetrySchedule.FAILING.toSeconds());
    }
}
