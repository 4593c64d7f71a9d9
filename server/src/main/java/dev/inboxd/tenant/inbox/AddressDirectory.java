package dev.inboxd.tenant.inbox;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.mail.address.DomainName;
import dev.inboxd.tenant.domain.DomainOwners;
import dev.inboxd.tenant.organization.OrganizationHumans;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The owner of every address, across organizations. RCPT resolves recipients here, and addresses are unique here. */
public final class AddressDirectory {
    private static final List<String> REQUIRED = List.of("postmaster", "abuse");

    private final Database database;
    private final String defaultDomain;
    private final String operator;

    /**
     * The addresses of a server.
     *
     * @param defaultDomain the service's own domain
     * @param operator the address that receives the mail of postmaster and abuse (ruling 27); while it is no inbox of
     *     this server, the service's own postmaster receives it
     */
    public AddressDirectory(Database database, String defaultDomain, String operator) {
        this.database = database;
        this.defaultDomain = defaultDomain.toLowerCase(Locale.ROOT);
        this.operator = operator.toLowerCase(Locale.ROOT);
    }

    /** An inbox that an address leads to. */
    public record Destination(UUID organization, UUID inbox) {}

    /** The result of resolving an address. */
    public sealed interface Resolution {
        /** An inbox of this server. */
        record LocalInbox(Destination destination) implements Resolution {}

        /** At a domain of this server, without an inbox. */
        record UnknownAddress() implements Resolution {}

        /** At a domain of another server. */
        record Remote() implements Resolution {}
    }

    /** Whether a domain, in any case, is the service's own, in which all organizations have inboxes. */
    boolean isShared(String domain) {
        return domain.equalsIgnoreCase(defaultDomain);
    }

    /** Whether mail for a domain comes here: the service's own, or one that an organization verified. */
    public boolean serves(String domain) {
        String host = host(domain);
        return isShared(host) || database.read(tx -> DomainOwners.of(tx, host)).isPresent();
    }

    /**
     * Resolves a recipient. Mail for required addresses goes to the operator. A plus in the local part and what follows
     * it is ignored (sub-addressing).
     *
     * @param localPart without quoting
     * @param domain empty for the bare postmaster
     */
    public Resolution resolve(String localPart, String domain) {
        String host = host(domain);
        String local = localPart.toLowerCase(Locale.ROOT);
        int plus = local.indexOf('+');
        String address = (plus > 0 ? local.substring(0, plus) : local) + "@" + host;
        boolean required = REQUIRED.contains(local);
        if (host.isEmpty() || host.equals(defaultDomain)) {
            return database.read(tx -> resolution(required ? operator(tx) : find(tx, address)));
        }
        return database.read(tx -> DomainOwners.of(tx, host)
                .map(holder -> {
                    // The inbox of a former owner of the domain keeps its messages and receives no more.
                    Optional<Destination> own = find(tx, address).filter(inbox -> inbox.organization.equals(holder));
                    return resolution(own.isEmpty() && required ? operator(tx) : own);
                })
                .orElseGet(Resolution.Remote::new));
    }

    /**
     * Resolves an address whose domain had no owner a moment ago; see {@link #resolve}. Only an address at the
     * service's own domain, which has no owner, can be local.
     */
    public Resolution resolveUnheld(String localPart, String domain) {
        String host = host(domain);
        return host.isEmpty() || host.equals(defaultDomain) ? resolve(localPart, domain) : new Resolution.Remote();
    }

    /** RFC 5321 §4.5.1: mail for postmaster is never refused, whatever address the operator has configured. */
    private Optional<Destination> operator(Tx tx) {
        return find(tx, operator).or(() -> find(tx, REQUIRED.getFirst() + "@" + defaultDomain));
    }

    private static Resolution resolution(Optional<Destination> destination) {
        return destination.<Resolution>map(Resolution.LocalInbox::new).orElseGet(Resolution.UnknownAddress::new);
    }

    /** Inboxes are stored with A-labels. */
    private static String host(String domain) {
        return DomainName.asciiOrItself(domain.toLowerCase(Locale.ROOT));
    }

    /** Whether an address is an inbox of this server now, in the caller's transaction. */
    public static boolean isOpen(Tx tx, String address) {
        String lower = address.toLowerCase(Locale.ROOT);
        int at = lower.lastIndexOf('@');
        int plus = lower.indexOf('+');
        return find(tx, plus > 0 && plus < at ? lower.substring(0, plus) + lower.substring(at) : lower)
                .isPresent();
    }

    /** Whether the mail of an address comes to this server, by an inbox or by a domain of an organization. */
    public static boolean isOurs(Tx tx, String address) {
        return isOpen(tx, address)
                || DomainOwners.of(tx, host(address.substring(address.lastIndexOf('@') + 1)))
                        .isPresent();
    }

    private static Optional<Destination> find(Tx tx, String address) {
        return tx.sql("select a.organization_id, a.inbox_id from address a"
                        + " where a.address = :address and a.inbox_id is not null")
                .bind("address", address)
                .first(row -> new Destination(row.uuid("organization_id"), row.uuid("inbox_id")));
    }

    /** The owner of an address, and its inbox while it exists. */
    record Claim(UUID organization, @Nullable UUID inbox) {}

    /**
     * Assigns an address to an inbox, in the transaction that creates the inbox. At its own domain, an organization
     * takes the address over from a former owner of the domain.
     *
     * @return false when another inbox has the address or, at a shared domain, another organization has ever had it
     *     (ruling 22) or one that looks like it; or when a person signs in by it, whose codes would come here
     */
    static boolean claim(Tx tx, UUID organization, Inbox inbox) {
        String address = inbox.address();
        boolean own = DomainOwners.of(tx, address.substring(address.indexOf('@') + 1))
                .filter(organization::equals)
                .isPresent();
        return OrganizationHumans.organizationOf(tx, address).isEmpty()
                && (own || LookAlikes.claim(tx, address, organization))
                && tx.sql("""
                insert into address as a (address, organization_id, inbox_id, changed_at)
                values (:address, :organization, :inbox, :now)
                on conflict (address) do update
                set organization_id = :organization, inbox_id = :inbox, changed_at = :now
                where (a.organization_id = :organization and a.inbox_id is null)
                   or (a.organization_id <> :organization and :own)""")
                                .bind("address", address)
                                .bind("organization", organization)
                                .bind("inbox", inbox.id())
                                .bind("now", inbox.createdAt())
                                .bind("own", own)
                                .run()
                        == 1;
    }

    /** What came of the wish to keep an address for an organization. */
    public enum Reserved {
        /** Somebody else has it, or something that looks like it. */
        UNAVAILABLE,
        /** The organization had an inbox there before. */
        HAD,
        /** It is kept from now on. */
        NEW
    }

    /** Keeps an address for an organization that is about to open an inbox there. */
    static Reserved reserve(Tx tx, UUID organization, String address, Instant now) {
        boolean own = DomainOwners.of(tx, address.substring(address.indexOf('@') + 1))
                .filter(organization::equals)
                .isPresent();
        if (!own && !LookAlikes.claim(tx, address, organization)) {
            return Reserved.UNAVAILABLE;
        }
        boolean isNew = tx.sql("insert into address (address, organization_id, changed_at)"
                                + " values (:address, :organization, :now) on conflict do nothing")
                        .bind("address", address)
                        .bind("organization", organization)
                        .bind("now", now)
                        .run()
                == 1;
        if (isNew) {
            return Reserved.NEW;
        }
        boolean had = tx.sql("select 1 as one from address a where a.address = :address and a.inbox_id is null"
                        + " and (a.organization_id = :organization or :own)")
                .bind("address", address)
                .bind("organization", organization)
                .bind("own", own)
                .exists();
        return had ? Reserved.HAD : Reserved.UNAVAILABLE;
    }

    /**
     * Gives back an address that was kept and at which no inbox was opened.
     *
     * @param last whether the organization ends with it, so that nothing that looks like it is kept either
     */
    static void giveBack(Tx tx, UUID organization, String address, boolean last) {
        tx.sql("delete from address where address = :address and organization_id = :organization and inbox_id is null")
                .bind("address", address)
                .bind("organization", organization)
                .run();
        if (last) {
            LookAlikes.giveBack(tx, address, organization);
        }
    }

    /** Whether the address belongs, or has ever belonged, to an organization. */
    static boolean isKnown(Tx tx, String address) {
        return tx.sql("select 1 as one from address a where a.address = :address")
                .bind("address", address)
                .exists();
    }

    /** Releases an address; only its organization may assign it again. */
    static void release(Tx tx, String address, UUID inbox, Instant now) {
        tx.sql("update address set inbox_id = null, changed_at = :now where address = :address and inbox_id = :inbox")
                .bind("address", address)
                .bind("inbox", inbox)
                .bind("now", now)
                .run();
    }
}
