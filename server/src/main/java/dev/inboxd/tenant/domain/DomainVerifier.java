package dev.inboxd.tenant.domain;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.OperatorException;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.tenant.domain.dns.RecordKind;
import dev.inboxd.tenant.domain.dns.RecordLookup;
import dev.inboxd.tenant.domain.dns.RecordResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the records of domains, on schedule and on request. The look-ups are outside of transactions. Their results
 * are evaluated in the transaction that stores them, under the organization's clock row, so that a domain becomes
 * verified once, however many nodes check it (identity.md §11.4).
 */
public final class DomainVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(DomainVerifier.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final int AT_ONCE = 16;
    /** Longer than all look-ups of one check. */
    private static final int REQUEST_SECONDS = 20;

    private static final Duration STALE = Duration.ofSeconds(60);

    private final Database database;
    private final DomainKeys keys;
    private final RecordLookup lookup;
    private final ServiceHosts hosts;
    private final EventLog events;

    /**
     * The services that checks need.
     *
     * @param hosts the names that records lead to
     */
    public record Parts(Database database, DomainKeys keys, RecordLookup lookup, ServiceHosts hosts, EventLog events) {}

    /** Checks the domains of a database; scheduled checks run after {@link #findBy} only. */
    public DomainVerifier(Parts parts) {
        this.database = parts.database;
        this.keys = parts.keys;
        this.lookup = parts.lookup;
        this.hosts = parts.hosts;
        this.events = parts.events;
    }

    /** Has scheduled checks found; else they are left to other processes. */
    public void findBy(DueWork due) {
        due.add(new WorkKind("domains", DomainSql.NEXT, WorkKind.Pace.of(INTERVAL, AT_ONCE), this::runDue));
    }

    /** Schedules a check of an unverified domain now, when its last check is older than a minute. */
    void refresh(View view, Domain domain) {
        Domain.Status status = domain.progress().status();
        Instant checkedAt = domain.progress().checkedAt();
        if (status == Domain.Status.VERIFIED || status == Domain.Status.FAILED || checkedAt == null) {
            return;
        }
        boolean stale = database.read(tx -> tx.sql(
                        View.of(view.organization()),
                        "select d.checked_at < {now} - make_interval(secs => :stale) and d.due_at > {now} as stale"
                                + " from domain d where {d} and d.domain = :name")
                .bind("name", domain.name())
                .bind("stale", (double) STALE.toSeconds())
                .first(row -> row.flag("stale"))
                .orElse(false));
        if (stale) {
            database.run(view.organization(), tx -> {
                DomainSql.scheduleNow(tx, view, domain.name());
            });
        }
    }

    /**
     * Checks a domain now, and restarts its intervals. Blocks until the check has ended.
     *
     * @throws Problem {@code not_found}; {@code race_condition} when another requested check is running
     */
    void verify(View view, String name) {
        UUID organization = view.organization();
        database.run(organization, tx -> {
            VerificationState before = Domains.find(tx, view, name).progress();
            if (!DomainSql.request(tx, view, name, REQUEST_SECONDS)) {
                throw Problem.of(
                        ErrorCode.RACE_CONDITION,
                        "The domain is being checked",
                        "Wait a moment, then read the domain: the running check tells the same.");
            }
            VerificationState requested = before.withRequestedCheck(tx.next().at());
            if (!requested.equals(before)) {
                DomainSql.progress(tx, view, name, requested);
            }
        });
        check(organization, name);
    }

    /**
     * Runs due checks while batches are full and at least one check of them ran; the rest is for the next execution.
     */
    private void runDue(UUID organization) {
        View all = View.of(organization);
        AtomicInteger count = new AtomicInteger();
        List<String> due;
        do {
            count.set(0);
            due = database.read(tx -> DomainSql.due(tx, all, AT_ONCE));
            try (ExecutorService checks = Executors.newVirtualThreadPerTaskExecutor()) {
                due.forEach(name -> checks.execute(() -> runDue(all, name, count)));
            }
        } while (due.size() == AT_ONCE && count.get() > 0);
    }

    /** A failed check does not delay other domains: the domain is due again when its lease expires. */
    private void runDue(View all, String name, AtomicInteger count) {
        try {
            if (database.write(all.organization(), tx -> DomainSql.claim(tx, all, name))) {
                count.incrementAndGet();
                check(all.organization(), name);
            }
        } catch (Problem | DatabaseFailure | OperatorException | IllegalStateException failure) {
            LOG.warn("domain check failed, retried later: domain={} cause={}", name, failure.toString());
        }
    }

    /**
     * A domain with the look-ups of one check.
     *
     * @param at when the check began
     */
    private record CheckedDomain(Domain domain, RecordLookup.LookupTask task, Instant at) {
        /** Whether the domain is unchanged, and no later check has ended since. */
        boolean fits(Domain now) {
            Instant checkedAt = now.progress().checkedAt();
            return now.key().equals(domain.key())
                    && now.options().equals(domain.options())
                    && (checkedAt == null || at.isAfter(checkedAt));
        }
    }

    private void check(UUID organization, String name) {
        View all = View.of(organization);
        Optional<CheckedDomain> checked = database.read(tx -> DomainSql.find(tx, all, name)
                .flatMap(domain -> keys.of(tx, all, domain)
                        .map(key -> new CheckedDomain(domain, task(organization, domain, key), DomainSql.now(tx)))));
        if (checked.isPresent()) {
            Map<RecordKind, RecordResult> findings = lookup.lookUp(checked.get().task);
            database.run(organization, tx -> {
                record(tx, all, checked.get(), findings);
            });
        }
    }

    private RecordLookup.LookupTask task(UUID organization, Domain domain, DkimKey key) {
        return new RecordLookup.LookupTask(
                organization,
                hosts.records(domain),
                key,
                domain.options().allowsOtherMx(),
                domain.progress().status() == Domain.Status.VERIFYING);
    }

    /**
     * Stores the result. The domain may have been changed, deleted, registered again or checked by a later check
     * meanwhile; then the result is dropped.
     */
    private void record(Tx tx, View all, CheckedDomain checked, Map<RecordKind, RecordResult> findings) {
        Domain before = DomainSql.find(tx, all, checked.domain.name())
                .filter(checked::fits)
                .orElse(null);
        if (before == null) {
            return;
        }
        UUID organization = all.organization();
        Instant now = tx.next().at();
        VerificationState next = before.progress().after(findings, ServiceHosts.required(before.options()), checked.at);
        boolean verified = next.status() == Domain.Status.VERIFIED;
        boolean becomes = verified && before.progress().status() != Domain.Status.VERIFIED;
        if (becomes && !DomainOwners.claim(tx, organization, before, now)) {
            next = next.withNameTaken();
            becomes = false;
        } else if (!next.isOwned()) {
            DomainOwners.markUnproven(tx, organization, before.name());
        }
        boolean changed = next.status() != before.progress().status();
        Instant due = CheckSchedule.next(next, DomainSql.restartedAt(tx, all, before.name()), now);
        DomainSql.progress(tx, all, before.name(), next);
        DomainSql.checked(tx, all, before.name(), due, changed ? now : null);
        if (changed) {
            LogLine.of("domain")
                    .with("organization_id", organization)
                    .with("domain", before.name())
                    .with("status", next.status().name())
                    .write();
        }
        if (becomes) {
            addVerifiedEvent(tx, all, Domains.find(tx, all, before.name()));
        }
    }

    private void addVerifiedEvent(Tx tx, View all, Domain domain) {
        EventLog.EventBatch appending = events.appending(tx, all);
        appending.add(new Event(
                EventType.DOMAIN_VERIFIED,
                new Event.Subject(domain.pod(), null, null, null, null, 0),
                List.of(),
                Json.text(JsonObject.of("domain", domain.json(hosts)))));
        appending.write();
    }
}
