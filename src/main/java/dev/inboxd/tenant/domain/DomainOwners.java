package dev.inboxd.tenant.domain;

import dev.inboxd.platform.database.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Which organization each verified domain belongs to, across organizations (promises.md A37). */
public final class DomainOwners {
    /**
     * Whether the row {@code h} of {@code domain_holder} holds a host; to be formatted with its {@link #names} and its own.
     * One look into the index, where an "or" of two would be two.
     */
    public static final String HOLDS = "h.domain = any (%s) and (h.subdomains or h.domain = %s)";

    private DomainOwners() {}

    /**
     * Who takes mail for a host: the holder of the domain, or of one above it that stands for its subdomains.
     *
     * @param host in lower case and A-labels
     */
    public static Optional<UUID> of(Tx tx, String host) {
        return tx.sql("select h.organization_id from domain_holder h where " + HOLDS.formatted(":names", ":host")
                        + " order by length(h.domain) desc limit 1")
                .bind("host", host)
                .bind("names", names(host))
                .first(row -> row.uuid("organization_id"));
    }

    /** The names under which somebody may hold a host: its own, and those above it. */
    public static List<String> names(String host) {
        List<String> names = above(host);
        names.addFirst(host);
        return names;
    }

    /**
     * Whether another organization stands in the way of a domain: it has verified it, or one that stands for its
     * subdomains above or below it, or one below while this one would stand for its own.
     *
     * @param subdomains whether the wanted domain stands for its subdomains
     */
    static boolean isTaken(Tx tx, UUID organization, String domain, boolean subdomains) {
        String path = path(domain);
        String end = path.substring(0, path.length() - 1) + (char) ('.' + 1); // behind all that begins with the path
        return tx.sql("""
                select 1 as one from domain_holder h
                where h.verified and h.organization_id <> :organization
                  and (h.domain = :domain or (h.subdomains and h.domain = any (:above))
                       or (h.path > :path and h.path < :end and (h.subdomains or :subdomains)))
                limit 1""")
                .bind("organization", organization)
                .bind("domain", domain)
                .bind("above", above(domain))
                .bind("path", path)
                .bind("end", end)
                .bind("subdomains", subdomains)
                .first(row -> row.integer("one"))
                .isPresent();
    }

    /**
     * Waits for everybody who takes a domain of the same family, and makes others wait until this transaction ends. No
     * row of a parent tells of one taken below it in a transaction that is still open, so what is in the way is looked
     * for behind this. The key in the index stays taken although its row is gone at once.
     */
    private static void alone(Tx tx, String domain) {
        String family = family(domain);
        tx.sql("insert into domain_family (family) values (:family)")
                .bind("family", family)
                .run();
        tx.sql("delete from domain_family f where f.family = :family")
                .bind("family", family)
                .run();
    }

    /** The last two labels: the shortest name that is registered, so of a domain and all below it the same. */
    private static String family(String domain) {
        int dot = domain.lastIndexOf('.', domain.lastIndexOf('.') - 1);
        return domain.substring(dot + 1);
    }

    /**
     * Takes a domain for an organization that has verified it.
     *
     * @return false when another one has verified it before and still does, or one that stands in the way
     */
    static boolean claim(Tx tx, UUID organization, Domain domain, Instant now) {
        boolean subdomains = domain.options().subdomains();
        alone(tx, domain.name());
        return !isTaken(tx, organization, domain.name(), subdomains)
                && tx.sql("""
                insert into domain_holder (domain, organization_id, path, subdomains, verified, changed_at)
                values (:domain, :organization, :path, :subdomains, true, :now)
                on conflict (domain) do update
                set organization_id = :organization, subdomains = :subdomains, verified = true, changed_at = :now
                where domain_holder.organization_id = :organization or not domain_holder.verified""")
                                .bind("domain", domain.name())
                                .bind("organization", organization)
                                .bind("path", path(domain.name()))
                                .bind("subdomains", subdomains)
                                .bind("now", now)
                                .run()
                        == 1;
    }

    /** The organization's proof is gone: it keeps getting the mail until another one verifies the domain. */
    static void markUnproven(Tx tx, UUID organization, String domain) {
        tx.sql("update domain_holder h set verified = false"
                        + " where h.domain = :domain and h.organization_id = :organization and h.verified")
                .bind("domain", domain)
                .bind("organization", organization)
                .run();
    }

    /**
     * Says whether the domain stands for its subdomains from now on.
     *
     * @return false when it cannot, because another organization has one of them
     */
    static boolean coverSubdomains(Tx tx, UUID organization, String domain, boolean subdomains) {
        if (subdomains) {
            alone(tx, domain);
            if (isTaken(tx, organization, domain, true)) {
                return false;
            }
        }
        tx.sql("update domain_holder h set subdomains = :subdomains"
                        + " where h.domain = :domain and h.organization_id = :organization")
                .bind("domain", domain)
                .bind("organization", organization)
                .bind("subdomains", subdomains)
                .run();
        return true;
    }

    /** Gives a domain up. */
    static void release(Tx tx, UUID organization, String domain) {
        tx.sql("delete from domain_holder h where h.domain = :domain and h.organization_id = :organization")
                .bind("domain", domain)
                .bind("organization", organization)
                .run();
    }

    /** The domains above one, the nearest first; of two labels at least. */
    static List<String> above(String domain) {
        List<String> above = new ArrayList<>();
        for (int dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
            String parent = domain.substring(dot + 1);
            if (parent.indexOf('.') > 0) {
                above.add(parent);
            }
        }
        return above;
    }

    private static String path(String domain) {
        StringBuilder path = new StringBuilder();
        int end = domain.length();
        while (end > 0) {
            int dot = domain.lastIndexOf('.', end - 1);
            path.append(domain, dot + 1, end).append('.');
            end = dot;
        }
        return path.toString();
    }
}
