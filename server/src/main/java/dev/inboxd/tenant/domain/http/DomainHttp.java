package dev.inboxd.tenant.domain.http;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.Rates;
import dev.inboxd.tenant.domain.Domain;
import dev.inboxd.tenant.domain.DomainChange;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.domain.NewDomain;
import dev.inboxd.tenant.domain.ZoneFile;
import java.nio.charset.StandardCharsets;

/** Domains over HTTP, alike for the organization and for a pod. Only routes: the rules are in {@link Domains}. */
public final class DomainHttp {
    private static final String DOMAIN = "/domains/{domain_id}";

    private final Domains domains;
    private final SetupLinks links;
    private final Budgets budgets;
    private final Rates rates;

    /** Routes to these domains; checks in the DNS are rate-limited. */
    public DomainHttp(Domains domains, SetupLinks links, Budgets budgets, Rates rates) {
        this.domains = domains;
        this.links = links;
        this.budgets = budgets;
        this.rates = rates;
    }

    /** Mounts the routes; a domain created below a pod belongs to the pod. */
    public void mount(Routes level) {
        level.get(Permission.DOMAIN_READ, "/domains", this::list);
        level.post(Permission.DOMAIN_CREATE, "/domains", this::create);
        level.get(Permission.DOMAIN_READ, DOMAIN, this::get);
        level.patch(Permission.DOMAIN_UPDATE, DOMAIN, this::update);
        level.delete(Permission.DOMAIN_DELETE, DOMAIN, this::delete);
        level.post(Permission.DOMAIN_UPDATE, DOMAIN + "/verify", this::verify);
        level.get(Permission.DOMAIN_READ, DOMAIN + "/zone-file", this::zoneFile);
        level.get(Permission.DOMAIN_READ, DOMAIN + "/setup-link", this::setupLink);
    }

    private Response list(Request request) {
        PageRequest page = request.page(PageLimit.list(100));
        return Response.ok(page.listing("domains", domains.list(request.view(), page), Domain::item));
    }

    private Response create(Request request) {
        NewDomain requested = NewDomain.read(request.body(), domains.own());
        return Response.ok(
                request.change().of(domains.create(request.view(), requested)).json(domains.hosts()));
    }

    private Response get(Request request) {
        return Response.ok(domains.get(request.view(), name(request)).json(domains.hosts()));
    }

    private Response update(Request request) {
        DomainChange change = DomainChange.read(request.body());
        return Response.ok(request.change()
                .of(domains.update(request.view(), name(request), change))
                .json(domains.hosts()));
    }

    private Response delete(Request request) {
        domains.delete(request.view(), name(request));
        request.change().target(name(request));
        return Response.ok();
    }

    private Response verify(Request request) {
        spendCheck(request);
        domains.verify(request.view(), name(request));
        return Response.ok();
    }

    private Response zoneFile(Request request) {
        Domain domain = domains.get(request.view(), name(request));
        return Response.bytes(
                        200,
                        "text/plain; charset=utf-8",
                        ZoneFile.of(domain, domains.hosts()).getBytes(StandardCharsets.UTF_8))
                .header("Content-Disposition", "attachment; filename=\"" + domain.name() + ".zone\"");
    }

    private Response setupLink(Request request) {
        spendCheck(request);
        return Response.ok(links.json(domains.get(request.view(), name(request))));
    }

    private void spendCheck(Request request) {
        budgets.spend(rates.domainChecks(), request.view().organization() + " " + name(request));
    }

    /** The canonical form of the name in the path; an invalid name is not found. */
    private static String name(Request request) {
        String name = NewDomain.ofWritten(request.path("domain_id"));
        if (name == null) {
            throw Domains.notFound();
        }
        return name;
    }
}
