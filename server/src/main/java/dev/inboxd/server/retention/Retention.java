package dev.inboxd.server.retention;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.job.upkeep.Upkeep;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.time.MovableClock;
import dev.inboxd.calendar.CalendarModule;
import dev.inboxd.config.SettingTable;
import dev.inboxd.event.EventExpiry;
import dev.inboxd.observe.metric.MetricExpiry;
import dev.inboxd.queue.SubmissionRetention;
import dev.inboxd.tenant.apikey.ExpiredKeys;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long what is kept. Old rows go in slices, organization by organization, like every other change (decision 0001).
 * The rules are {@link RetentionRule#USUAL} and what is named here; docs/tables.md lists every table with what ends its
 * rows. Failed deliveries are kept three days by the webhooks themselves.
 */
public final class Retention implements ServiceModule {
    private static final String EVENTS = "events";
    private static final String METRICS = "metrics";
    /** The rules of the log and of what is counted from it, by the tables. */
    static final Map<String, List<String>> LOG =
            Map.of(EVENTS, List.of("event"), METRICS, List.of("metric_total", "departure"));

    private static final int SLICE = 500;
    private static final int OLDEST = 5_000;
    /** Metrics are asked about 90 days, of which rates look back 30 more. */
    private static final Duration TOTALS = Duration.ofDays(125);

    /** Far longer than a blob waits for its row, by any clock; with the pause between sweeps less than a day (P19). */
    private static final Duration ORPHANED_BLOB = Duration.ofHours(12);

    private static final Duration BETWEEN_BLOB_SWEEPS = Duration.ofHours(6);
    /** Less than the hour between two looks, so that a look finds it due. */
    private static final Duration BETWEEN_EVENT_SWEEPS = Duration.ofMinutes(30);
    /** Lists show keys that expired, so that their users find out why (identity.md §8.2). */
    private static final Duration EXPIRED_KEY = Duration.ofDays(30);

    /** A code that is redeemed again ends its token, which is good for ten minutes. */
    private static final Duration EXPIRED_SIGN_IN = Duration.ofHours(1);

    private final Database database;
    private final Blobs blobs;
    private final InstantSource clock;
    private final List<RetentionRule> rules;
    private final SubmissionRetention submissions;
    private final @Nullable EventExpiry events;
    private final MetricExpiry metrics;
    private final Upkeep upkeep;
    private volatile boolean stopping;
    /** What is done for all nodes at present; of the one thread that sweeps. */
    private Upkeep.@Nullable Turn turn;

    /** Tables of no organization whose rows are over at their {@code expires_at}; rates bound how many there are. */
    private static final List<String> EXPIRING = List.of("oidc_transaction", "oidc_code", "oidc_token", "connect_link");

    /** What the rules are called; {@link SettingTable#RETENTION_NAMES} lets a setting name each. */
    public static List<String> names() {
        return Stream.of(
                        RetentionRule.USUAL.stream().map(RetentionRule::name),
                        SubmissionRetention.TABLES.keySet().stream(),
                        LOG.keySet().stream())
                .flatMap(names -> names)
                .distinct()
                .sorted()
                .toList();
    }

    public Retention(PlatformModule platform, Map<String, Duration> settings) {
        this(platform.database(), platform.blobs(), platform.clock(), settings);
    }

    public Retention(Database database, Blobs blobs, InstantSource clock, Map<String, Duration> settings) {
        this.database = database;
        this.blobs = blobs;
        this.clock = clock;
        this.rules =
                RetentionRule.USUAL.stream().map(rule -> rule.changed(settings)).toList();
        this.upkeep = new Upkeep(database);
        this.submissions = new SubmissionRetention(database, settings, this::isStopping);
        Duration logged = settings.get(EVENTS);
        this.events = logged == null ? null : new EventExpiry(database, clock, logged, this::isStopping);
        this.metrics = new MetricExpiry(database, clock, settings.getOrDefault(METRICS, TOTALS), this::isStopping);
    }

    @Override
    public void register(Lifecycle lifecycle) {
        PeriodicTask task = new PeriodicTask("retention", Duration.ofHours(1), this::sweep);
        lifecycle.add(Phase.JOBS, task::start, () -> {
            stopping = true;
            task.close();
        });
    }

    /** Whether the service stops, or another node has taken the turn. */
    private boolean isStopping() {
        return stopping || (turn != null && !turn.isOurs());
    }

    /** Removes what is old; run now and then on every node, one run at a time. */
    public synchronized void sweep() {
        rules.forEach(this::sweep);
        submissions.sweep();
        EXPIRING.forEach(this::sweepExpired);
        ExpiredKeys.forget(database, EXPIRED_KEY);
        CalendarModule.forgetFeeds(database, clock);
        // Each goes through the whole installation, so one node does it for all.
        inTurn("blobs", BETWEEN_BLOB_SWEEPS, this::sweepBlobs);
        inTurn(METRICS, BETWEEN_BLOB_SWEEPS, metrics::sweep);
        if (events != null) {
            inTurn(EVENTS, BETWEEN_EVENT_SWEEPS, events::sweep);
        }
    }

    private void inTurn(String name, Duration every, Runnable sweep) {
        upkeep.run(name, every, ours -> {
            turn = ours;
            try {
                sweep.run();
                return !isStopping();
            } finally {
                turn = null;
            }
        });
    }

    private record OldRows(UUID organization, Instant until, int number) {}

    /** A few of the oldest rows at a time, so that each organization's share is found by its time and not by a scan. */
    private void sweep(RetentionRule rule) {
        int expired;
        int removed;
        do {
            List<OldRows> oldest = database.read(tx -> tx.sqlAcrossTenants(rule.oldest(OLDEST))
                    .bind("kept", (double) rule.period().toSeconds())
                    .list(row ->
                            new OldRows(row.uuid("organization_id"), row.instant("until"), row.integer("number"))));
            expired = oldest.stream().mapToInt(OldRows::number).sum();
            removed = oldest.stream().mapToInt(rows -> sweep(rule, rows)).sum();
        } while (expired == OLDEST && removed > 0 && !stopping);
    }

    private int sweep(RetentionRule rule, OldRows rows) {
        if (!database.gate().isOpen(rows.organization)) {
            return 0;
        }
        int removed = 0;
        int slice;
        do {
            slice = database.<Integer>write(rows.organization, tx -> delete(tx, rule, rows));
            removed += slice;
        } while (slice == SLICE && !stopping);
        return removed;
    }

    private static int delete(Tx tx, RetentionRule rule, OldRows rows) {
        View all = View.of(rows.organization);
        Statement deletion = tx.sql(all, rule.deletion(SLICE)).bind("until", rows.until);
        if (!rule.isCounted()) {
            return deletion.run();
        }
        List<Integer> sizes = deletion.list(row -> row.integer("size"));
        long octets = sizes.stream().mapToLong(Integer::longValue).sum();
        RoundTrip trip = tx.roundTrip();
        tx.recordUsage(trip, all, new StoredUsage(0, -octets));
        trip.run();
        return sizes.size();
    }

    private void sweepExpired(String table) {
        Instant old = clock.instant().minus(EXPIRED_SIGN_IN);
        database.writeGlobal(tx -> tx.sql("delete from " + table + " where expires_at < :old")
                .bind("old", old)
                .run());
    }

    /**
     * A blob is written before its row; one without a row after that never gets one (promise P1). Blobs of
     * organizations that are not ours belong to another installation on the same store and stay. The store is walked
     * organization by organization, and no more names are in memory than are looked up together.
     */
    private void sweepBlobs() {
        // By the clock of the store, which nobody moves.
        Instant youngest = MovableClock.real(clock).instant().minus(ORPHANED_BLOB);
        OldBlobs old = new OldBlobs(SLICE, this::sweepBlobs);
        try {
            blobs.walk(blob -> {
                if (isStopping()) {
                    throw new CancellationException();
                }
                if (blob.storedAt().isBefore(youngest)) {
                    old.add(blob.key());
                }
            });
            old.flush();
        } catch (CancellationException stopped) {
            // It begins anew with the next turn.
        }
    }

    private void sweepBlobs(UUID organization, List<String> names) {
        View view = View.of(organization);
        Set<String> orphans = new HashSet<>(names);
        boolean ours = database.read(tx -> {
            tx.sql(
                            view,
                            "select c.blob from message_content c where c.organization_id = {organization}"
                                    + " and c.blob = any (:names)"
                                    + " union all select p.blob from message_piece p"
                                    + " where p.organization_id = {organization}"
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
