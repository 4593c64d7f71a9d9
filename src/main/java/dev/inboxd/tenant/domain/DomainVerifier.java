package dev.inboxd.tenant.domain;

import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.net.Dns;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.DatabaseFailure;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.job.PeriodicTask;
import dev.inboxd.platform.json.Json;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.log.LogLine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the records of domains: when it is time, and when somebody asks for it. Look-ups are made outside any
 * transaction; what they mean is decided in the transaction that writes it down, behind the organization's clock row,
 * so that a domain becomes verified once, whoever looks (identity.md §11.4).
 */
public final class DomainVerifier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DomainVerifier.class);
    private static final Duration REST = Duration.ofSeconds(5);
    private static final int AT_ONCE = 16;
    /** Longer than the look-ups of one check take together. */
    private static final int REQUEST_SECONDS = 20;

    private static final Duration STALE = Duration.ofSeconds(60);

    private final Database database;
    private final DomainKeys keys;
    private final RecordLookup inspection;
    private final ServiceHosts hosts;
    private final EventLog events;
    private final PeriodicTask beat = new PeriodicTask("domain checks", REST, this::runDue);

    /**
     * What checks stand on.
     *
     * @param dns asked first
     * @param second asked for confirmation: another resolver, where there are several
     * @param hosts the names that records lead to
     */
    public record Parts(Database database, DomainKeys keys, Dns dns, Dns second, ServiceHosts hosts, EventLog events) {}

    /** Checks for the domains of a database; none is made by itself before {@link #start}. */
    public DomainVerifier(Parts parts) {
        this.database = parts.database;
        this.keys = parts.keys;
        this.inspection = new RecordLookup(parts.dns, parts.second);
        this.hosts = parts.hosts;
        this.events = parts.events;
    }

    /** Begins to check what is due. */
    public void start() {
        beat.start();
    }

    /** Something is due. */
    void wake() {
        beat.wake();
    }

    /** Lets the checks that run end. */
    @Override
    public void close() {
        beat.close();
    }

    /** What is known of an unverified domain is looked after soon, when it is older than a minute. */
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
            database.<@Nullable Void>write(view.organization(), tx -> {
                DomainSql.scheduleNow(tx, view, domain.name());
                tx.afterCommit(this::wake);
                return null;
            });
        }
    }

    /**
     * Checks a domain now, and from now on as if it were new. Blocks until that is done.
     *
     * @throws Problem {@code not_found}; {@code race_condition} when another such check is running
     */
    void verify(View view, String name) {
        UUID organization = view.organization();
        database.<@Nullable Void>write(organization, tx -> {
            VerificationState before = Domains.find(tx, view, name).progress();
            if (!DomainSql.request(tx, view, name, REQUEST_SECONDS)) {
                throw Problem.of(
                        ErrorCode.RACE_CONDITION,
                        "The domain is being checked",
                        "Wait a moment, then read the domain: the running check tells the same.");
            }
            VerificationState asked = before.withRequestedCheck(tx.next().at());
            if (!asked.equals(before)) {
                DomainSql.progress(tx, view, name, asked);
            }
            return null;
        });
        check(organization, name);
    }

    /** As long as batches are full and something of them is done; otherwise the next beat goes on. */
    private void runDue() {
        AtomicInteger made = new AtomicInteger();
        List<DomainSql.DueDomain> due;
        do {
            made.set(0);
            due = database.read(tx -> DomainSql.due(tx, AT_ONCE));
            try (ExecutorService checks = Executors.newVirtualThreadPerTaskExecutor()) {
                due.forEach(each -> checks.execute(() -> runDue(each, made)));
            }
        } while (due.size() == AT_ONCE && made.get() > 0);
    }

    /** A domain that cannot be checked now keeps no other one waiting: its lease brings it back. */
    private void runDue(DomainSql.DueDomain due, AtomicInteger made) {
        View all = View.of(due.organization());
        try {
            if (database.write(due.organization(), tx -> DomainSql.claim(tx, all, due.name()))) {
                made.incrementAndGet();
                check(due.organization(), due.name());
            }
        } catch (Problem | DatabaseFailure | IllegalStateException failure) {
            LOG.warn("The domain {} could not be checked: {}", due.name(), failure.toString());
        }
    }

    /**
     * A domain with what a check of it looks for.
     *
     * @param at when the check began
     */
    private record CheckedDomain(Domain domain, RecordLookup.LookupTask task, Instant at) {
        /** Whether a domain is the same still, and not looked at since. */
        boolean fits(Domain now) {
            Instant checkedAt = now.progress().checkedAt();
            return now.key().equals(domain.key())
                    && now.options().equals(domain.options())
                    && (checkedAt == null || at.isAfter(checkedAt));
        }
    }

    private void check(UUID organization, String name) {
        View all = View.of(organization);
        Optional<CheckedDomain> looked = database.read(tx -> DomainSql.find(tx, all, name)
                .flatMap(domain -> keys.of(tx, all, domain)
                        .map(key -> new CheckedDomain(domain, task(domain, key), DomainSql.now(tx)))));
        if (looked.isPresent()) {
            Map<RecordKind, RecordResult> findings = inspection.lookUp(looked.get().task);
            database.<@Nullable Void>write(organization, tx -> {
                settle(tx, all, looked.get(), findings);
                return null;
            });
        }
    }

    private RecordLookup.LookupTask task(Domain domain, DkimKey key) {
        return new RecordLookup.LookupTask(
                hosts.records(domain),
                key,
                domain.options().allowsOtherMx(),
                domain.progress().status() == Domain.Status.VERIFYING);
    }

    /**
     * What was looked at may have been changed, deleted or registered anew meanwhile, or looked at by a check that began
     * later: only what fits still counts.
     */
    private void settle(Tx tx, View all, CheckedDomain looked, Map<RecordKind, RecordResult> findings) {
        Domain before = DomainSql.find(tx, all, looked.domain.name())
                .filter(looked::fits)
                .orElse(null);
        if (before == null) {
            return;
        }
        UUID organization = all.organization();
        Instant now = tx.next().at();
        VerificationState next = before.progress().after(findings, ServiceHosts.required(before.options()), looked.at);
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
            tell(tx, all, Domains.find(tx, all, before.name()));
        }
    }

    private void tell(Tx tx, View all, Domain domain) {
        EventLog.EventBatch appending = events.appending(tx, all);
        appending.add(new Event(
                EventType.DOMAIN_VERIFIED,
                new Event.Subject(domain.pod(), null, null, null, null, 0),
                List.of(),
                Json.text(JsonObject.of("domain", domain.json(hosts)))));
        appending.write();
    }
}
