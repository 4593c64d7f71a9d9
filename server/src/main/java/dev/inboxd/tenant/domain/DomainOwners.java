package dev.inboxd.tenant.domain;

import dev.inboxd.base.database.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The owner of each verified domain, across organizations (promises.md A37). */
public final class DomainOwners {
    /**
     * The condition that the row {@code h} of {@code domain_holder} owns a host. Format it with the parameters of its
     * {@link #names} and of the host. One index look-up, where two conditions with "or" would need two.
     */
    public static final String HOLDS = "h.domain = any (%s) and (h.subdomains or h.domain = %s)";

    private DomainOwners() {}

    /**
     * The organization that receives mail for a host: the owner of the domain, or of one above it with subdomains.
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

    /** The names under which an organization may own a host: the host's own, and those above it. */
    public static List<String> names(String host) {
        List<String> names = above(host);
        names.addFirst(host);
        return names;
    }

    /**
     * Whether another organization prevents the verification of a domain. It has verified the domain itself, or one
     * above it with subdomains, or one below it while that one or this domain covers its subdomains.
     *
     * @param subdomains whether the new domain covers its subdomains
     */
    static boolean isTaken(Tx tx, UUID organization, String domain, boolean subdomains) {
        String path = path(domain);
        String end = path.substring(0, path.length() - 1) + (char) ('.' + 1); // after all paths that begin with it
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
                .exists();
    }

    /**
     * Locks the family of a domain until the transaction ends, after waiting for other transactions that have locked
     * it. The row of a parent does not reveal a domain below it in an open transaction, so conflicts are looked up
     * after this lock. The index entry is locked until then although the row is deleted at once.
     */
    private static void lockFamily(Tx tx, String domain) {
        String family = family(domain);
        tx.sql("insert into domain_family (family) values (:family)")
                .bind("family", family)
                .run();
        tx.sql("delete from domain_family f where f.family = :family")
                .bind("family", family)
                .run();
    }

    /**
     * The last two labels: the shortest name that can be registered, and common to a domain and all names below it.
     */
    private static String family(String domain) {
        int dot = domain.lastIndexOf('.', domain.lastIndexOf('.') - 1);
        return domain.substring(dot + 1);
    }

    /**
     * Makes an organization the owner of a domain that it has verified.
     *
     * @return false when another organization still owns this domain, or one that conflicts
     */
    static boolean claim(Tx tx, UUID organization, Domain domain, Instant now) {
        boolean subdomains = domain.options().subdomains();
        lockFamily(tx, domain.name());
        return !isTaken(tx, organization, domain.name(), subdomains)
                && tx.sql("""
                insert into domain_holder as h (domain, organization_id, path, subdomains, verified, changed_at)
                values (:domain, :organization, :path, :subdomains, true, :now)
                on conflict (domain) do update
                set organization_id = :organization, subdomains = :subdomains, verified = true, changed_at = :now
                where h.organization_id = :organization or not h.verified""")
                                .bind("domain", domain.name())
                                .bind("organization", organization)
                                .bind("path", path(domain.name()))
                                .bind("subdomains", subdomains)
                                .bind("now", now)
                                .run()
                        == 1;
    }

    /**
     * Marks that the organization's DNS records are gone. It still receives the mail until another one verifies the
     * domain.
     */
    static void markUnproven(Tx tx, UUID organization, String domain) {
        tx.sql("update domain_holder h set verified = false"
                        + " where h.domain = :domain and h.organization_id = :organization and h.verified")
                .bind("domain", domain)
                .bind("organization", organization)
                .run();
    }

    /**
     * Changes whether the registration covers its subdomains.
     *
     * @return false when another organization owns one of them
     */
    static boolean coverSubdomains(Tx tx, UUID organization, String domain, boolean subdomains) {
        if (subdomains) {
            lockFamily(tx, domain);
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

    /** Deletes the ownership of a domain. */
    static void release(Tx tx, UUID organization, String domain) {
        tx.sql("delete from domain_holder h where h.domain = :domain and h.organization_id = :organization")
                .bind("domain", domain)
                .bind("organization", organization)
                .run();
    }

    /** The domains above a domain, with at least two labels, the nearest first. */
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
