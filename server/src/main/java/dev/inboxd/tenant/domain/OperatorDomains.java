package dev.inboxd.tenant.domain;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Domains for the operator's commands, which use the same operations as the API. */
public final class OperatorDomains {
    private final Database database;
    private final Domains domains;

    /** The domains of a database. */
    public OperatorDomains(Database database, Domains domains) {
        this.database = database;
        this.domains = domains;
    }

    /** Every registered domain of every organization, by name. */
    public List<JsonObject> all() {
        List<DomainSql.OwnedDomain> names = database.read(tx -> tx.sqlAcrossTenants(
                        "select d.organization_id, d.domain from domain d order by d.domain, d.organization_id")
                .list(row -> new DomainSql.OwnedDomain(row.uuid("organization_id"), row.text("domain"))));
        return names.stream()
                .map(name -> database.read(tx -> DomainSql.find(tx, View.of(name.organization()), name.name()))
                        .map(domain -> JsonObject.of("organization_id", name.organization())
                                .withAll(domain.item())))
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * Registers a domain for an organization.
     *
     * @throws Problem as over HTTP
     */
    public JsonObject create(UUID organization, String written) {
        Domain.Options options = new Domain.Options(true, false, false, false);
        return domains.create(View.of(organization), new NewDomain(name(written), null, options))
                .value()
                .json(domains.hosts());
    }

    /**
     * One domain with its records.
     *
     * @throws Problem {@code not_found}
     */
    public JsonObject show(UUID organization, String written) {
        return domains.get(View.of(organization), name(written)).json(domains.hosts());
    }

    /** Checks a domain now and returns it with the result. */
    public JsonObject verify(UUID organization, String written) {
        domains.verify(View.of(organization), name(written));
        return show(organization, written);
    }

    /** The lines of a zone file. */
    public String zoneFile(UUID organization, String written) {
        return ZoneFile.of(domains.get(View.of(organization), name(written)), domains.hosts());
    }

    /** Deletes a domain. */
    public void delete(UUID organization, String written) {
        domains.delete(View.of(organization), name(written));
    }

    private String name(String written) {
        String name = NewDomain.ofWritten(written);
        if (name == null || domains.own().include(name)) {
            throw Problem.invalid(
                    "domain", "The domain must be a name like example.com, and none of this service's own");
        }
        return name;
    }
}
