package dev.inboxd.tenant.domain.signing;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.tenant.domain.Domain;
import dev.inboxd.tenant.domain.DomainKeys;
import dev.inboxd.tenant.domain.DomainSql;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.domain.ServiceHosts;
import dev.inboxd.tenant.domain.dns.RecordKind;
import dev.inboxd.tenant.domain.dns.RecordResult;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The sending identity of an inbox: whether its domain may send, and its DKIM signer (identity.md §11.4). */
public final class SenderIdentities {
    private final Database database;
    private final SigningKeys service;
    private final DomainKeys keys;
    private final String serviceDomain;

    /**
     * The sending identities of a database.
     *
     * @param service the keys of the service's own domain
     * @param serviceDomain that domain, in lower case
     */
    public SenderIdentities(Database database, SigningKeys service, DomainKeys keys, String serviceDomain) {
        this.database = database;
        this.service = service;
        this.keys = keys;
        this.serviceDomain = serviceDomain;
    }

    /**
     * The sender of a message.
     *
     * @param pod the pod of the inbox
     * @param host the part of its address after the {@code @}
     */
    public record Sender(UUID organization, UUID pod, String host) {}

    /**
     * The DKIM signer for an inbox. Inboxes at subdomains send under the identity of the registered domain.
     *
     * @throws Problem {@code domain_not_verified} when the domain may not send
     */
    public DkimSigner of(Sender sender) {
        if (sender.host.equals(serviceDomain)) {
            return service.signer(serviceDomain);
        }
        View all = View.of(sender.organization);
        return database.read(tx -> find(tx, sender)
                        .filter(domain -> domain.progress().sending())
                        .filter(domain -> domain.pod() == null || domain.pod().equals(sender.pod))
                        .flatMap(domain -> keys.signer(tx, all, domain)))
                .orElseThrow(() -> Domains.notVerified(sender.host));
    }

    /**
     * The host that serves the pixels of an organization's mail from a domain. Null when opens cannot be tracked: the
     * domain needs the option, and its record must lead to this service.
     */
    public @Nullable String trackingHost(UUID organization, String host) {
        return database.read(tx -> find(tx, new Sender(organization, organization, host)))
                .filter(domain -> domain.options().tracking()
                        && domain.progress().finding(RecordKind.TRACKING).equals(RecordResult.VALID))
                .map(domain -> ServiceHosts.trackingName(domain.name()))
                .orElse(null);
    }

    /**
     * The return-path host for mail from a host: a name whose mail comes here, and whose SPF aligns with the author's
     * domain (identity.md §11.3). The service's own domain when the domain is no longer registered.
     */
    public String returnHost(UUID organization, String host) {
        return host.equals(serviceDomain)
                ? serviceDomain
                : database.read(tx -> find(tx, new Sender(organization, organization, host)))
                        .map(domain -> ServiceHosts.returnName(domain.name()))
                        .orElse(serviceDomain);
    }

    private static Optional<Domain> find(Tx tx, Sender sender) {
        return DomainSql.nearest(tx, View.of(sender.organization), sender.host)
                .filter(domain ->
                        domain.name().equals(sender.host) || domain.options().subdomains());
    }
}
