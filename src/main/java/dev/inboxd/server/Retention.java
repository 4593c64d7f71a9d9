package dev.inboxd.server;

import dev.inboxd.calendar.CalendarModule;
import dev.inboxd.config.SettingTable;
import dev.inboxd.platform.PlatformModule;
import dev.inboxd.platform.blob.BlobKey;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.job.PeriodicTask;
import dev.inboxd.platform.module.Lifecycle;
import dev.inboxd.platform.module.Lifecycle.Phase;
import dev.inboxd.platform.module.ServiceModule;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * How long what is kept: stated here for every table that does not live as long as its inbox or organization. Old rows
 * go in slices, organization by organization, like every other change (decision 0001). Failed deliveries are kept
 * three days by the webhooks themselves.
 */
final class Retention implements ServiceModule {
    private static final int SLICE = 500;
    /** Far longer than a blob waits for its row, by any clock; with the pause between sweeps less than a day (P19). */
    private static final Duration ORPHANED_BLOB = Duration.ofHours(12);

    private static final Duration BETWEEN_BLOB_SWEEPS = Duration.ofHours(6);
    /** Lists show keys that expired, so that their users find out why (identity.md §8.2). */
    private static final Duration EXPIRED_KEY = Duration.ofDays(30);

    /** A code that is redeemed again ends its token, which is good for ten minutes. */
    private static final Duration EXPIRED_SIGN_IN = Duration.ofHours(1);

    private final Database database;
    private final Blobs blobs;
    private final InstantSource clock;
    private final List<Rule> rules;
    /** Never since the start: a service that is restarted every day sweeps as well. */
    private Instant blobsSweptAt = Instant.EPOCH;

    /**
     * One table's rule.
     *
     * @param name how INBOXD_RETENTION names it
     * @param table the table, whose rows are named {@code d}
     * @param key its key behind the organization
     * @param since the time from which a row's age counts; rows without it stay
     * @param only what else must hold
     * @param period how old it may become
     */
    private record Rule(String name, String table, String key, String since, String only, Duration period) {
        Rule changed(Map<String, Duration> settings) {
            return new Rule(name, table, key, since, only, settings.getOrDefault(name, period));
        }
    }

    private static final String OF_THE_SERVICE = "exists (select 1 from submission s where"
            + " s.organization_id = d.organization_id and s.submission_id = d.submission_id and s.message_id is null)";
    private static final String WITHOUT_RECIPIENTS = "not exists (select 1 from submission_recipient r where"
            + " r.organization_id = d.organization_id and r.submission_id = d.submission_id)";

    /** The usual durations; settings may name others. */
    private static final List<Rule> USUAL = List.of(
            // A sender gives up within five days (RFC 5321 §4.5.4.1).
            new Rule("redeliveries", "redelivery", "d.digest", "d.at", "true", Duration.ofDays(7)),
            new Rule("idempotency", "send_memory", "d.key", "d.expires_at", "true", Duration.ZERO),
            new Rule(
                    "idempotency",
                    "calendar_deletion",
                    "d.key",
                    "d.at",
                    "d.at < {now} - interval '1 day'",
                    Duration.ZERO),
            new Rule("audit", "audit_entry", "d.entry_id", "d.at", "true", Duration.ofDays(365)),
            new Rule("requests", "key_request", "d.api_key_id, d.request_id", "d.at", "true", Duration.ofDays(3)),
            new Rule(
                    "requests",
                    "message_call",
                    "d.inbox_id, d.message_id, d.request_id",
                    "d.at",
                    "true",
                    Duration.ofDays(3)),
            // A date that ended is told no more; until then its row keeps it from being told again.
            new Rule(
                    "boundaries",
                    "calendar_boundary",
                    "d.event_id, d.slot, d.which",
                    "d.ends_at",
                    "d.ends_at < {now} - interval '1 day'",
                    Duration.ofDays(31)),
            new Rule("deliveries", "delivery_attempt", "d.webhook_id, d.seq, d.at", "d.at", "true", Duration.ofDays(3)),
            new Rule("deliveries", "event_thread", "d.seq", "d.remembered_at", "true", Duration.ofDays(3)),
            new Rule(
                    "polling",
                    "delivery",
                    "d.seq, d.webhook_id",
                    "d.created_at",
                    "d.due_at is null and d.failed_at is null",
                    Duration.ofDays(30)),
            new Rule("send_counts", "send_count", "d.day", "d.day", "true", Duration.ofDays(62)),
            new Rule("send_counts", "inbox_send_count", "d.inbox_id, d.day", "d.day", "true", Duration.ofDays(2)),
            new Rule(
                    "sessions",
                    "connect_request",
                    "d.bearer_id, d.idempotency_key",
                    "d.expires_at",
                    "true",
                    Duration.ZERO),
            // A sign-in key lives thirty days.
            new Rule(
                    "sessions",
                    "oidc_consent",
                    "d.inbox_id, d.app_id, d.hash",
                    "d.accepted_at",
                    "true",
                    Duration.ofDays(180)),
            new Rule("sessions", "sign_in_key", "d.api_key_id", "d.created_at", "true", Duration.ofDays(31)),
            // The service's own mail holds one-time codes.
            new Rule(
                    "letters",
                    "submission_recipient",
                    "d.submission_id, d.position",
                    "d.settled_at",
                    OF_THE_SERVICE,
                    Duration.ofDays(3)),
            new Rule("sessions", "console_session", "d.session_id", "d.expires_at", "true", Duration.ZERO),
            new Rule("sessions", "oauth_grant", "d.code_hash", "d.expires_at", "true", Duration.ZERO),
            new Rule("sessions", "sign_in_code", "d.human_email", "d.expires_at", "true", Duration.ZERO),
            new Rule(
                    "submissions",
                    "submission_recipient",
                    "d.submission_id, d.position",
                    "d.settled_at",
                    "true",
                    Duration.ofDays(30)),
            new Rule(
                    "letters",
                    "submission",
                    "d.submission_id",
                    "d.created_at",
                    WITHOUT_RECIPIENTS,
                    Duration.ofDays(3)));

    /** Tables of no organization whose rows are over at their {@code expires_at}; rates bound how many there are. */
    private static final List<String> EXPIRING = List.of("oidc_transaction", "oidc_code", "oidc_token", "connect_link");

    /** What the rules are called; {@link SettingTable#RETENTION_NAMES} lets a setting name each. */
    static List<String> names() {
        return USUAL.stream().map(Rule::name).distinct().sorted().toList();
    }

    Retention(PlatformModule platform, Map<String, Duration> settings) {
        this(platform.database(), platform.blobs(), platform.clock(), settings);
    }

    Retention(Database database, Blobs blobs, InstantSource clock, Map<String, Duration> settings) {
        this.database = database;
        this.blobs = blobs;
        this.clock = clock;
        this.rules = USUAL.stream().map(rule -> rule.changed(settings)).toList();
    }

    @Override
    public void register(Lifecycle lifecycle) {
        PeriodicTask task = new PeriodicTask("retention", Duration.ofHours(1), this::sweep);
        lifecycle.add(Phase.JOBS, task::start, task::close);
    }

    /** Removes what is old; run now and then on every node. */
    void sweep() {
        rules.forEach(this::sweep);
        EXPIRING.forEach(this::sweepExpired);
        ApiKeys.forgetExpired(database, EXPIRED_KEY);
        CalendarModule.forgetFeeds(database, clock);
        if (!blobsSweptAt.plus(BETWEEN_BLOB_SWEEPS).isAfter(clock.instant())) {
            sweepBlobs();
            blobsSweptAt = clock.instant();
        }
    }

    private void sweep(Rule rule) {
        String old = rule.since + " < {now} - make_interval(secs => :kept) and " + rule.only;
        List<UUID> organizations = database.read(tx -> tx.sqlAcrossTenants(
                        "select distinct d.organization_id from " + rule.table + " d where " + old + " limit 1000")
                .bind("kept", rule.period.toSeconds())
                .list(row -> row.uuid("organization_id")));
        String delete = "delete from " + rule.table + " d where d.organization_id = {organization} and (" + rule.key
                + ") in (select " + rule.key + " from " + rule.table
                + " d where d.organization_id = {organization} and "
                + old + " limit " + SLICE + ")";
        for (UUID organization : organizations) {
            int removed;
            do {
                removed = database.write(
                        organization,
                        tx -> tx.sql(View.of(organization), delete)
                                .bind("kept", rule.period.toSeconds())
                                .run());
            } while (removed == SLICE);
        }
    }

    private void sweepExpired(String table) {
        Instant old = clock.instant().minus(EXPIRED_SIGN_IN);
        database.writeGlobal(tx -> tx.sql("delete from " + table + " where expires_at < :old")
                .bind("old", old)
                .run());
    }

    /**
     * A blob is written before its row; one without a row after that never gets one (promise P1). Blobs of organizations
     * that are not ours belong to another installation on the same store and stay.
     */
    private void sweepBlobs() {
        Instant youngest = clock.instant().minus(ORPHANED_BLOB);
        Map<UUID, List<String>> old = new HashMap<>();
        blobs.walk(blob -> {
            if (blob.storedAt().isBefore(youngest)) {
                List<String> names = old.computeIfAbsent(blob.key().organization(), _ -> new ArrayList<>());
                names.add(blob.key().name());
                if (names.size() == SLICE) {
                    sweepBlobs(blob.key().organization(), List.copyOf(names));
                    names.clear();
                }
            }
        });
        old.forEach(this::sweepBlobs);
    }

    private void sweepBlobs(UUID organization, List<String> names) {
        View view = View.of(organization);
        Set<String> orphans = new HashSet<>(names);
        boolean ours = database.read(tx -> {
            tx.sql(
                            view,
                            "select c.blob from message_content c where c.organization_id = {organization}"
                                    + " and c.blob = any (:names)"
                                    + " union all select p.blob from message_piece p where p.organization_id = {organization}"
                                    + " and p.blob = any (:names) union all select f.blob from draft_attachment f"
                                    + " where f.organization_id = {organization} and f.blob = any (:names)")
                    .bind("names", names)
                    .list(row -> row.text("blob"))
                    .forEach(orphans::remove);
            return Organizations.find(tx, organization).isPresent();
        });
        if (ours) {
            orphans.forEach(name -> blobs.delete(new BlobKey(organization, name)));
        }
    }
}
