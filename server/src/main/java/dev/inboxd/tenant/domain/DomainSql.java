package dev.inboxd.tenant.domain;

import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.tenant.domain.dns.RecordResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of registered domains. */
public final class DomainSql {
    private static final String SELECT = """
            select d.domain, d.pod_id, d.client_id, d.feedback_enabled, d.subdomains_enabled, d.tracking_enabled,
                   d.beside_others, d.selector, d.dns_record, d.status, d.reason, d.findings, d.sending, d.proven_at,
                   d.since, d.checked_at, d.created_at, d.updated_at
            from domain d where {d}""";

    /** Seconds that a node has for a check before another node repeats it. */
    private static final int LEASE_SECONDS = 60;

    private static final KeysetList LIST = KeysetList.byTimeAndName("d.created_at", "d.domain");

    private DomainSql() {}

    static Optional<Domain> find(Tx tx, View view, String name) {
        return tx.sql(view, SELECT + " and d.domain = :name").bind("name", name).first(DomainSql::read);
    }

    static Optional<Domain> findByClientId(Tx tx, View view, String clientId) {
        return tx.sql(view, SELECT + " and d.client_id = :client")
                .bind("client", clientId)
                .first(DomainSql::read);
    }

    /** The registered domain of a host: the host itself, or the nearest one above it, with or without subdomains. */
    public static Optional<Domain> nearest(Tx tx, View view, String host) {
        return tx.sql(
                        view,
                        SELECT + " and (d.domain = :host or d.domain = any (:above))"
                                + " order by (d.domain = :host or d.subdomains_enabled) desc,"
                                + " length(d.domain) desc limit 1")
                .bind("host", host)
                .bind("above", DomainOwners.above(host))
                .first(DomainSql::read);
    }

    static List<Domain> list(Tx tx, View view, PageRequest page) {
        return LIST.page(tx, view, SELECT, page).list(DomainSql::read);
    }

    static int count(Tx tx, View view) {
        return tx.sql(view, "select count(*) as n from domain d where {d}").single(row -> row.integer("n"));
    }

    /** Inserts a new domain, which is due for a check at once. */
    static void insert(Tx tx, View view, Domain domain, byte[] sealedKey) {
        tx.sql(view, """
                insert into domain (organization_id, domain, pod_id, client_id, feedback_enabled, subdomains_enabled,
                                    tracking_enabled, beside_others, selector, private_key, dns_record, status,
                                    findings, sending, restarted_at, due_at, created_at, updated_at)
                values ({organization}, :name, :pod, :client, :feedback, :subdomains, :tracking, :beside, :selector,
                        :private, :record, :status, array[]::text[], false, {now}, {now}, :now, :now)""")
                .bind("name", domain.name())
                .bind("pod", domain.pod())
                .bind("client", domain.clientId())
                .bind("feedback", domain.options().feedback())
                .bind("subdomains", domain.options().subdomains())
                .bind("tracking", domain.options().tracking())
                .bind("beside", domain.options().allowsOtherMx())
                .bind("selector", domain.key().selector())
                .bind("private", sealedKey)
                .bind("record", domain.key().dnsRecord())
                .bind("status", domain.progress().status().name())
                .bind("now", domain.createdAt())
                .run();
    }

    /** Stores a change by the owner; the intervals between checks start again. */
    static void change(Tx tx, View view, Domain domain, Instant now) {
        progress(tx, view, domain.name(), domain.progress());
        tx.sql(view, """
                update domain d set feedback_enabled = :feedback, subdomains_enabled = :subdomains,
                                    tracking_enabled = :tracking, restarted_at = {now}, due_at = {now},
                                    updated_at = :now
                where {d} and d.domain = :name""")
                .bind("name", domain.name())
                .bind("feedback", domain.options().feedback())
                .bind("subdomains", domain.options().subdomains())
                .bind("tracking", domain.options().tracking())
                .bind("now", now)
                .run();
    }

    /** Stores the result of a check. */
    static void progress(Tx tx, View view, String name, VerificationState progress) {
        Domain.Reason reason = progress.reason();
        tx.sql(view, """
                update domain d set status = :status, reason = :reason, findings = :findings, sending = :sending,
                                    proven_at = :proven, since = :since, checked_at = :checked
                where {d} and d.domain = :name""")
                .bind("name", name)
                .bind("status", progress.status().name())
                .bind("reason", reason == null ? null : reason.name())
                .bind("findings", RecordResult.toTexts(progress.findings()))
                .bind("sending", progress.sending())
                .bind("proven", progress.provenAt())
                .bind("since", progress.since())
                .bind("checked", progress.checkedAt())
                .run();
    }

    /** The database's time. */
    static Instant now(Tx tx) {
        return tx.sql("select {now} as at").single(row -> row.instant("at"));
    }

    /** The start of the intervals between checks. */
    static Instant restartedAt(Tx tx, View view, String name) {
        return tx.sql(view, "select d.restarted_at from domain d where {d} and d.domain = :name")
                .bind("name", name)
                .single(row -> row.instant("restarted_at"));
    }

    /**
     * Ends a check.
     *
     * @param due when the next check is due, or null for none
     * @param changed when the visible state changed, or null
     */
    static void checked(Tx tx, View view, String name, @Nullable Instant due, @Nullable Instant changed) {
        tx.sql(
                        view,
                        "update domain d set due_at = :due, requested_until = null,"
                                + " updated_at = coalesce(:changed::timestamptz, d.updated_at)"
                                + " where {d} and d.domain = :name")
                .bind("name", name)
                .bind("due", due)
                .bind("changed", changed)
                .run();
    }

    /**
     * Begins a requested check, which restarts the intervals between checks.
     *
     * @param seconds how long the check may take
     * @return false when another requested check is running
     */
    static boolean request(Tx tx, View view, String name, int seconds) {
        return tx.sql(view, """
                update domain d set requested_until = {now} + make_interval(secs => :seconds), restarted_at = {now},
                                    due_at = {now} + make_interval(secs => :seconds)
                where {d} and d.domain = :name and (d.requested_until is null or d.requested_until <= {now})""")
                        .bind("name", name)
                        .bind("seconds", (double) seconds)
                        .run()
                == 1;
    }

    /** Makes the next check due now. */
    static void scheduleNow(Tx tx, View view, String name) {
        tx.sql(view, "update domain d set due_at = {now} where {d} and d.domain = :name and d.due_at > {now}")
                .bind("name", name)
                .run();
    }

    /** A deleted domain: its pod, if any, and when it was registered. */
    record DeletedDomain(@Nullable UUID pod, Instant createdAt) {}

    static Optional<DeletedDomain> delete(Tx tx, View view, String name) {
        return tx.sql(view, "delete from domain d where {d} and d.domain = :name returning d.pod_id, d.created_at")
                .bind("name", name)
                .first(row -> new DeletedDomain(row.uuidOrNull("pod_id"), row.instant("created_at")));
    }

    /** A domain of an organization. */
    record OwnedDomain(UUID organization, String name) {}

    /** When the next check of an organization is due. */
    static final String NEXT = "select min(d.due_at) from domain d where d.organization_id = {organization}";

    /** Domains of an organization whose check is due. */
    static List<String> due(Tx tx, View all, int most) {
        return tx.sql(
                        all,
                        "select d.domain from domain d where {d} and d.due_at <= {now} order by d.due_at limit :most")
                .bind("most", most)
                .list(row -> row.text("domain"));
    }

    /** Claims the check of a domain for this node; false when another node has it. */
    static boolean claim(Tx tx, View view, String name) {
        return tx.sql(
                                view,
                                "update domain d set due_at = {now} + make_interval(secs => :lease)"
                                        + " where {d} and d.domain = :name and d.due_at <= {now}")
                        .bind("name", name)
                        .bind("lease", (double) LEASE_SECONDS)
                        .run()
                == 1;
    }

    /** The encrypted private key. */
    static Optional<byte[]> privateKey(Tx tx, View view, String name) {
        return tx.sql(view, "select d.private_key from domain d where {d} and d.domain = :name")
                .bind("name", name)
                .first(row -> row.bytes("private_key"));
    }

    private static Domain read(Row row) {
        String reason = row.textOrNull("reason");
        return new Domain(
                row.text("domain"),
                row.uuidOrNull("pod_id"),
                row.textOrNull("client_id"),
                new Domain.Options(
                        row.flag("feedback_enabled"),
                        row.flag("subdomains_enabled"),
                        row.flag("tracking_enabled"),
                        row.flag("beside_others")),
                new Domain.Key(row.text("selector"), row.text("dns_record")),
                new VerificationState(
                        Domain.Status.valueOf(row.text("status")),
                        reason == null ? null : Domain.Reason.valueOf(reason),
                        RecordResult.ofWords(row.texts("findings")),
                        row.flag("sending"),
                        row.instantOrNull("proven_at"),
                        row.instantOrNull("since"),
                        row.instantOrNull("checked_at")),
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
