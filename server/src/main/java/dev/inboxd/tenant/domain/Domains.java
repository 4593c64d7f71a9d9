package dev.inboxd.tenant.domain;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.errand.Errands;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.net.Dns;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations on registered domains. Each method runs its own transaction, unless it takes the caller's. */
public final class Domains {
    private final Parts parts;

    /**
     * The services that domains need.
     *
     * @param dns looks up which provider receives a domain's mail
     * @param hosts the names that records lead to
     * @param own reserved names, which no organization can register
     * @param most the largest number of domains of an organization
     * @param departure is called when a domain is deleted, for metrics
     */
    public record Parts(
            Database database,
            DomainKeys keys,
            Dns dns,
            ServiceHosts hosts,
            ReservedNames own,
            DomainVerifier checks,
            int most,
            DeletionHook departure) {}

    /** Called in the transaction that deletes a domain. */
    @FunctionalInterface
    public interface DeletionHook {
        void of(Tx tx, UUID organization, String domain, @Nullable UUID pod, Instant createdAt);
    }

    /** The domains of a database. */
    public Domains(Parts parts) {
        this.parts = parts;
    }

    /** The number of domains that the view shows, in the caller's transaction. */
    public static int count(Tx tx, View view) {
        return DomainSql.count(tx, view);
    }

    /**
     * Refuses a new inbox at a domain that its organization cannot use, in the transaction that creates the inbox.
     *
     * @param pod the pod of the new inbox
     * @param host in lower case and A-labels; not the service's own domain
     * @throws Problem {@code not_found} when the pod has no such domain, {@code unprocessable} for a subdomain of a
     *     domain without subdomains, {@code domain_not_verified}
     */
    public static void requireUsable(Tx tx, UUID organization, UUID pod, String host) {
        Domain domain = DomainSql.nearest(tx, View.of(organization), host)
                .filter(nearest -> nearest.pod() == null || nearest.pod().equals(pod))
                .orElseThrow(Domains::notFound);
        if (!domain.name().equals(host) && !domain.options().subdomains()) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "Inboxes at subdomains of " + domain.name() + " are not enabled",
                    "PATCH /v0/domains/" + domain.name() + " with subdomains_enabled true and publish its new record.");
        }
        if (domain.progress().status() != Domain.Status.VERIFIED) {
            throw notVerified(domain.name());
        }
    }

    public static Problem notVerified(String name) {
        return Problem.of(
                ErrorCode.DOMAIN_NOT_VERIFIED,
                "The domain " + name + " is not verified",
                "GET /v0/domains/" + name + " shows the records to publish and what is wrong with each; then POST"
                        + " /v0/domains/" + name + "/verify.");
    }

    public static Problem notFound() {
        return Problem.notFound("Domain");
    }

    /**
     * Registers a domain for the organization or, when the view is narrowed to a pod, for the pod. A repetition with
     * the same client_id returns the first domain (ruling 18).
     *
     * @throws Problem {@code already_exists}, {@code resource_taken}, {@code limit_exceeded},
     *     {@code idempotency_conflict}, {@code unprocessable} when its mail goes to another provider
     */
    public Outcome<Domain> create(View view, NewDomain requested) {
        Optional<Domain> before = parts.database.read(tx -> check(tx, view, requested));
        if (before.isPresent()) {
            return Outcome.same(before.get());
        }
        checkProvider(requested);
        DkimKey key = Errands.of("key of " + requested.name(), parts.keys::make); // slow, so outside of the transaction
        return parts.database.write(view.organization(), tx -> {
            Optional<Domain> meanwhile = check(tx, view, requested);
            if (meanwhile.isPresent()) {
                return Outcome.same(meanwhile.get());
            }
            if (view.pod() != null && !podExists(tx, view)) {
                throw Problem.notFound("Pod");
            }
            Instant now = tx.next().at();
            Domain domain = new Domain(
                    requested.name(),
                    view.pod(),
                    requested.clientId(),
                    requested.options(),
                    new Domain.Key(DomainKeys.SELECTOR, key.dnsRecord()),
                    VerificationState.NONE,
                    now,
                    now);
            DomainSql.insert(tx, View.of(view.organization()), domain, parts.keys.sealed(key));
            return Outcome.changed(domain);
        });
    }

    private Optional<Domain> check(Tx tx, View view, NewDomain requested) {
        View all = View.of(view.organization());
        if (requested.clientId() != null) {
            Optional<Domain> before = DomainSql.findByClientId(tx, all, requested.clientId());
            if (before.isPresent()) {
                boolean same = before.get().name().equals(requested.name())
                        && (view.pod() == null || view.pod().equals(before.get().pod()));
                if (!same) {
                    throw Problem.of(
                            ErrorCode.IDEMPOTENCY_CONFLICT,
                            "The client_id " + requested.clientId() + " belongs to another domain or pod");
                }
                return before;
            }
        }
        if (DomainSql.find(tx, all, requested.name()).isPresent()) {
            throw Problem.of(
                    ErrorCode.ALREADY_EXISTS,
                    "The domain " + requested.name() + " is registered already",
                    "Each organization registers a domain once, for one pod or for all.");
        }
        if (DomainOwners.isTaken(
                tx, view.organization(), requested.name(), requested.options().subdomains())) {
            throw domainTaken(requested.name());
        }
        if (parts.most < Integer.MAX_VALUE && DomainSql.count(tx, all) >= parts.most) {
            throw Problem.limit(
                    "domains",
                    parts.most,
                    "There are " + parts.most + " domains already",
                    "Delete one that is no longer needed.");
        }
        return Optional.empty();
    }

    private static boolean podExists(Tx tx, View view) {
        return tx.sql(view, "select 1 as one from pod p where {p}").exists();
    }

    private static Problem domainTaken(String name) {
        return Problem.of(
                ErrorCode.RESOURCE_TAKEN,
                "The domain " + name + " belongs to another organization",
                "Register a domain of your own. If this one is yours now, wait until the other registration has"
                        + " lost its verification: it is checked once a day.");
    }

    private void checkProvider(NewDomain requested) {
        MailProvider provider = requested.options().allowsOtherMx()
                ? null
                : Errands.of(
                                "provider of " + requested.name(),
                                () -> Optional.ofNullable(MailProvider.of(parts.dns, requested.name())))
                        .orElse(null);
        if (provider != null) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "Mail for " + requested.name() + " goes to " + provider.title(),
                    "Register a subdomain, or repeat the call with allow_conflicting_provider true: then both"
                            + " providers' MX records stand side by side, and mail goes to one of them.");
        }
    }

    /**
     * One domain. An unverified one is scheduled for a check when its last check is older than a minute.
     *
     * @throws Problem {@code not_found}
     */
    public Domain get(View view, String name) {
        Domain domain = parts.database.read(tx -> find(tx, view, name));
        parts.checks.refresh(view, domain);
        return domain;
    }

    /** One domain in the caller's transaction, without side effects. */
    static Domain find(Tx tx, View view, String name) {
        return DomainSql.find(tx, view, name).orElseThrow(Domains::notFound);
    }

    /** A page of the domains that the view shows. */
    public Slice<Domain> list(View view, PageRequest page) {
        return parts.database.read(tx ->
                page.slice(DomainSql.list(tx, view, page), domain -> Cursor.of(domain.createdAt(), domain.name())));
    }

    /**
     * Changes a domain's options; absent members stay as they are.
     *
     * @throws Problem {@code not_found}; {@code resource_taken} when subdomains belong to another organization
     */
    public Outcome<Domain> update(View view, String name, DomainChange change) {
        return parts.database.write(view.organization(), tx -> {
            Domain before = find(tx, view, name);
            Domain.Options options = change.appliedTo(before.options());
            if (options.equals(before.options())) {
                return Outcome.same(before);
            }
            UUID organization = view.organization();
            if (!DomainOwners.coverSubdomains(tx, organization, name, options.subdomains())) {
                throw domainTaken("*." + name);
            }
            DomainSql.change(
                    tx,
                    view,
                    before.with(options, before.progress().changed(ServiceHosts.required(options))),
                    tx.next().at());
            return Outcome.changed(find(tx, view, name));
        });
    }

    /**
     * Deletes a domain and its key. Mail to and from it stops at once, and the messages of its inboxes stay readable.
     *
     * @throws Problem {@code not_found}
     */
    public void delete(View view, String name) {
        parts.database.run(view.organization(), tx -> {
            DomainSql.DeletedDomain deleted = DomainSql.delete(tx, view, name).orElseThrow(Domains::notFound);
            DomainOwners.release(tx, view.organization(), name);
            parts.departure.of(tx, view.organization(), name, deleted.pod(), deleted.createdAt());
        });
    }

    /** Checks a domain now; see {@link DomainVerifier#verify}. */
    public void verify(View view, String name) {
        parts.checks.verify(view, name);
    }

    /** The names that records lead to. */
    public ServiceHosts hosts() {
        return parts.hosts;
    }

    /** The names that no organization can register. */
    public ReservedNames own() {
        return parts.own;
    }
}
