package dev.inboxd.tenant.domain;

import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** In whose name an inbox's mail leaves: whether it may, and who signs it (identity.md §11.4). */
public final class SenderIdentities {
    private final Database database;
    private final SigningKeys service;
    private final DomainKeys keys;
    private final String serviceDomain;

    /**
     * The senders of a database.
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
     * Who sends.
     *
     * @param pod of the inbox
     * @param host the part of its address after the {@code @}
     */
    public record Sender(UUID organization, UUID pod, String host) {}

    /**
     * Who signs the mail of an inbox. Inboxes at subdomains send under the identity of the registered domain.
     *
     * @throws Problem {@code domain_not_verified} when nothing may leave from there
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
     * Where the pixels of an organization's mail from a host are served, or null when its opens cannot be tracked: a
     * domain needs the option, and its record has to lead here.
     */
    public @Nullable String trackingHost(UUID organization, String host) {
        return database.read(tx -> find(tx, new Sender(organization, organization, host)))
                .filter(domain -> domain.options().tracking()
                        && domain.progress().finding(RecordKind.TRACKING).equals(RecordResult.VALID))
                .map(domain -> ServiceHosts.trackingName(domain.name()))
                .orElse(null);
    }

    /**
     * Where mail from a host bounces to: a name that leads here, and that SPF aligns with the author's domain
     * (identity.md §11.3). The service's own when the domain is no longer registered.
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
