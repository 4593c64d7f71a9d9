package dev.inboxd.server.retention;

import dev.inboxd.base.job.OrganizationMark;
import dev.inboxd.queue.SubmissionRetention;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How long the rows of one table are kept. docs/tables.md lists every table.
 *
 * @param name how INBOXD_RETENTION names it
 * @param table the table, whose rows are named {@code d}
 * @param key its key behind the organization
 * @param since the time from which a row's age counts; rows without it stay
 * @param only what else must hold
 * @param period how old it may become
 */
record RetentionRule(String name, String table, String key, String since, String only, Duration period) {
    private static final String ALL = "true";
    /** The table whose rows count in the storage of their organization. */
    private static final String AUDIT = "audit_entry";

    private static final String WITHOUT_RECIPIENTS = "not exists (select 1 from submission_recipient r where"
            + " r.organization_id = d.organization_id and r.submission_id = d.submission_id)";

    /** The usual durations; settings may name others. */
    static final List<RetentionRule> USUAL = List.of(
            // A sender gives up within five days (RFC 5321 §4.5.4.1).
            new RetentionRule("redeliveries", "redelivery", "d.digest", "d.at", ALL, Duration.ofDays(7)),
            new RetentionRule("idempotency", "send_memory", "d.key", "d.expires_at", ALL, Duration.ZERO),
            new RetentionRule(
                    "idempotency",
                    "calendar_deletion",
                    "d.key",
                    "d.at",
                    "d.at < {now} - interval '1 day'",
                    Duration.ZERO),
            new RetentionRule(
                    "submissions",
                    "sandbox_turn",
                    "d.submission_id, d.position",
                    "d.created_at",
                    ALL,
                    Duration.ofDays(60)),
            new RetentionRule("idempotency", "payment_key", "d.key", "d.until", ALL, Duration.ZERO),
            new RetentionRule("idempotency", "payment_answer", "d.payment_id", "d.until", ALL, Duration.ZERO),
            new RetentionRule(
                    "payments",
                    "payment",
                    "d.payment_id",
                    "d.created_at",
                    "d.state in ('settled', 'refused', 'owed')",
                    Duration.ofDays(400)),
            // Whoever shows a claim that is over is told so for a day.
            new RetentionRule("claims", "thread_claim", "d.claim_id", "d.expires_at", ALL, Duration.ofDays(1)),
            new RetentionRule("audit", AUDIT, "d.entry_id", "d.at", ALL, Duration.ofDays(365)),
            new RetentionRule("audit", "audit_day", "d.actor_id, d.day", "d.day", ALL, Duration.ofDays(2)),
            new RetentionRule("requests", "key_request", "d.api_key_id, d.request_id", "d.at", ALL, Duration.ofDays(3)),
            new RetentionRule(
                    "requests",
                    "message_call",
                    "d.inbox_id, d.message_id, d.request_id",
                    "d.at",
                    ALL,
                    Duration.ofDays(3)),
            // A date that ended is told no more; until then its row keeps it from being told again.
            new RetentionRule(
                    "boundaries",
                    "calendar_boundary",
                    "d.event_id, d.slot, d.which",
                    "d.ends_at",
                    "d.ends_at < {now} - interval '1 day'",
                    Duration.ofDays(31)),
            new RetentionRule(
                    "boundaries",
                    "calendar_cancel",
                    "d.inbox_id, d.uid, d.recurrence_id",
                    "d.created_at",
                    ALL,
                    Duration.ofDays(30)),
            new RetentionRule(
                    "deliveries", "delivery_attempt", "d.webhook_id, d.seq, d.at", "d.at", ALL, Duration.ofDays(3)),
            new RetentionRule("deliveries", "event_thread", "d.seq", "d.remembered_at", ALL, Duration.ofDays(3)),
            new RetentionRule(
                    "polling",
                    "delivery",
                    "d.seq, d.webhook_id",
                    "d.created_at",
                    "d.due_at is null and d.failed_at is null",
                    Duration.ofDays(30)),
            new RetentionRule(
                    "dropped", "dropped_message", "d.inbox_id, d.dropped_id", "d.dropped_at", ALL, Duration.ofDays(30)),
            new RetentionRule("dropped", "dropped_count", "d.inbox_id, d.day", "d.day", ALL, Duration.ofDays(31)),
            new RetentionRule("send_counts", "send_count", "d.day", "d.day", ALL, Duration.ofDays(62)),
            new RetentionRule("send_counts", "inbox_send_count", "d.inbox_id, d.day", "d.day", ALL, Duration.ofDays(2)),
            new RetentionRule(
                    "sessions",
                    "connect_request",
                    "d.bearer_id, d.idempotency_key",
                    "d.expires_at",
                    ALL,
                    Duration.ZERO),
            // A sign-in key lives thirty days.
            new RetentionRule(
                    "sessions",
                    "oidc_consent",
                    "d.inbox_id, d.app_id, d.hash",
                    "d.accepted_at",
                    ALL,
                    Duration.ofDays(180)),
            new RetentionRule("sessions", "sign_in_key", "d.api_key_id", "d.created_at", ALL, Duration.ofDays(31)),
            new RetentionRule("sessions", "console_session", "d.session_id", "d.expires_at", ALL, Duration.ZERO),
            new RetentionRule("sessions", "oauth_grant", "d.code_hash", "d.expires_at", ALL, Duration.ZERO),
            new RetentionRule("sessions", "sign_in_code", "d.human_email", "d.expires_at", ALL, Duration.ZERO),
            // SubmissionRetention removes a submission with its last recipient; this is for what earlier revisions
            // left.
            new RetentionRule(
                    "submissions",
                    "submission",
                    "d.submission_id",
                    "d.created_at",
                    WITHOUT_RECIPIENTS,
                    SubmissionRetention.SETTLED.plusDays(7)));

    RetentionRule changed(Map<String, Duration> settings) {
        return new RetentionRule(name, table, key, since, only, settings.getOrDefault(name, period));
    }

    /**
     * What goes, the oldest first, but of organizations that move or have moved: for each organization how many of some
     * rows, and the time of the last of them.
     */
    String oldest(int most) {
        return "select x.organization_id, max(x.since)::timestamptz as until, count(*)::int as number from ("
                + "select d.organization_id, " + since + " as since from " + table + " d where " + since
                + " < {now} - make_interval(secs => :kept) and " + only + " and" + OrganizationMark.noneAt("d")
                + " order by " + since + " limit " + most
                + ") as x group by x.organization_id";
    }

    /** Whether the rows count in the storage of their organization. */
    boolean isCounted() {
        return table.equals(AUDIT);
    }

    /** Deletes some rows of an organization up to a time; of those that count it returns how many octets each took. */
    String deletion(int most) {
        return "delete from " + table + " d where d.organization_id = {organization} and (" + key + ") in (select "
                + key
                + " from " + table + " d where d.organization_id = {organization} and " + since + " <= :until and "
                + only
                + " limit " + most + (isCounted() ? ") returning d.size" : ")");
    }
}
