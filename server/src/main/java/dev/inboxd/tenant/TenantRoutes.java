package dev.inboxd.tenant;

import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.observe.audit.AuditHttp;
import dev.inboxd.observe.metric.MetricHttp;
import dev.inboxd.tenant.apikey.ApiKeyHttp;
import dev.inboxd.tenant.domain.http.DomainHttp;
import dev.inboxd.tenant.inbox.InboxHttp;
import dev.inboxd.tenant.inbox.InboxSearchHttp;
import dev.inboxd.tenant.list.ListHttp;
import dev.inboxd.tenant.organization.OrganizationHttp;
import dev.inboxd.tenant.pod.PodHttp;
import java.util.List;

/** The routes of organizations and of what belongs to them, by the levels at which each is mounted. */
final class TenantRoutes {
    private TenantRoutes() {}

    static void mount(TenantModule tenant, RouteTable routes) {
        organization(tenant).mount(routes.at(Level.ORGANIZATION));
        InboxHttp inboxes = new InboxHttp(tenant.inboxes);
        inboxes.mountAll(routes.at(Level.ORGANIZATION));
        inboxes.mountAll(routes.at(Level.POD));
        inboxes.mountOne(routes.at(Level.POD), "/inboxes/{inbox_id}");
        inboxes.mountOne(routes.at(Level.INBOX), "");
        PodHttp pods = new PodHttp(tenant.pods);
        pods.mountAll(routes.at(Level.ORGANIZATION_OR_POD));
        pods.mountOne(routes.at(Level.POD));
        ListHttp lists = new ListHttp(tenant.lists);
        lists.mount(routes.at(Level.ORGANIZATION_ITSELF));
        lists.mount(routes.at(Level.POD));
        lists.mount(routes.at(Level.INBOX));
        ApiKeyHttp keys = new ApiKeyHttp(tenant.apiKeys, tenant.platform.clock());
        keys.mountIdentity(routes.at(Level.ORGANIZATION));
        AuditHttp audit = new AuditHttp(tenant.platform.database(), tenant.apiKeys);
        audit.mountLog(routes.at(Level.ORGANIZATION_ITSELF));
        MetricHttp metrics = new MetricHttp(tenant.metrics, tenant.platform.clock());
        for (Level level : List.of(Level.ORGANIZATION, Level.POD, Level.INBOX)) {
            keys.mount(routes.at(level));
            audit.mount(routes.at(level));
            metrics.mount(routes.at(level));
        }
        DomainHttp domains = new DomainHttp(
                tenant.domains,
                tenant.setupLinks,
                tenant.platform.budgets(),
                tenant.platform.config().rates());
        InboxSearchHttp search = new InboxSearchHttp(tenant.platform.database(), tenant.platform.searchBudget());
        for (Level level : List.of(Level.ORGANIZATION, Level.POD)) {
            domains.mount(routes.at(level));
            search.mount(routes.at(level));
        }
    }

    private static OrganizationHttp organization(TenantModule tenant) {
        TenantConfig.Limits limits = tenant.config.limits();
        return new OrganizationHttp(
                tenant.platform.database(),
                new OrganizationHttp.Limits(limits.inboxes(), limits.domains(), limits.storage()),
                tenant.config.features());
    }
}
