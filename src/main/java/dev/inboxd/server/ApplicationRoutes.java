package dev.inboxd.server;

import dev.inboxd.account.session.SessionHttp;
import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.account.signup.SignUpHttp;
import dev.inboxd.config.Settings;
import dev.inboxd.event.InboxFeedHttp;
import dev.inboxd.mailbox.message.DownloadHttp;
import dev.inboxd.mailbox.message.FullMessageReads;
import dev.inboxd.mailbox.message.MessageHttp;
import dev.inboxd.mailbox.message.ThreadHttp;
import dev.inboxd.mailbox.search.SearchHttp;
import dev.inboxd.outbound.SandboxHttp;
import dev.inboxd.platform.http.ErrorsHttp;
import dev.inboxd.platform.http.Level;
import dev.inboxd.platform.http.OperatorHttp;
import dev.inboxd.platform.http.RouteTable;
import dev.inboxd.platform.http.Routes;
import dev.inboxd.sending.SendHttp;
import dev.inboxd.sending.draft.DraftHttp;
import dev.inboxd.sending.feedback.UnsubscribeHttp;
import dev.inboxd.sending.tracking.OpenHttp;
import dev.inboxd.tenant.apikey.ApiKeyHttp;
import dev.inboxd.tenant.domain.DomainHttp;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.inbox.InboxHttp;
import dev.inboxd.tenant.inbox.InboxSearchHttp;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.list.ListHttp;
import dev.inboxd.tenant.metric.MetricHttp;
import dev.inboxd.tenant.organization.OrganizationHttp;
import dev.inboxd.tenant.pod.PodHttp;
import java.util.List;

/** Every route of the service, by the level it is mounted at. */
final class ApplicationRoutes {
    private ApplicationRoutes() {}

    static RouteTable of(Application services) {
        RouteTable table = new RouteTable();
        root(services, table.at(Level.ROOT));
        organization(services, table.at(Level.ORGANIZATION));
        inbox(services, table.at(Level.INBOX));
        InboxHttp inboxes = new InboxHttp(services.inboxes);
        inboxes.mountAll(table.at(Level.ORGANIZATION));
        inboxes.mountAll(table.at(Level.POD));
        inboxes.mountOne(table.at(Level.POD), "/inboxes/{inbox_id}");
        inboxes.mountOne(table.at(Level.INBOX), "");
        PodHttp pods = new PodHttp(services.pods);
        pods.mountAll(table.at(Level.ORGANIZATION_OR_POD));
        pods.mountOne(table.at(Level.POD));
        DomainHttp domains = new DomainHttp(services.domains, services.setupLinks, services.budgets, services.rates);
        domains.mount(table.at(Level.ORGANIZATION));
        domains.mount(table.at(Level.POD));
        ThreadHttp threads = new ThreadHttp(new ThreadHttp.Parts(
                services.conversations, services.messages, services.deletions, services.contents, services.links));
        threads.mount(table.at(Level.ORGANIZATION));
        threads.mount(table.at(Level.POD));
        threads.mount(table.at(Level.INBOX));
        DraftHttp drafts = services.drafting.http();
        drafts.mount(table.at(Level.ORGANIZATION));
        drafts.mount(table.at(Level.POD));
        drafts.mount(table.at(Level.INBOX));
        drafts.mountInbox(table.at(Level.INBOX));
        ApiKeyHttp keys = new ApiKeyHttp(services.apiKeys, services.clock);
        keys.mountIdentity(table.at(Level.ORGANIZATION));
        keys.mount(table.at(Level.ORGANIZATION));
        keys.mount(table.at(Level.POD));
        keys.mount(table.at(Level.INBOX));
        ListHttp lists = new ListHttp(services.lists);
        lists.mount(table.at(Level.ORGANIZATION_ITSELF));
        lists.mount(table.at(Level.POD));
        lists.mount(table.at(Level.INBOX));
        MetricHttp metrics = new MetricHttp(services.measures, services.clock);
        for (Level level : List.of(Level.ORGANIZATION, Level.POD, Level.INBOX)) {
            metrics.mount(table.at(level));
            services.webhooking.http().mount(table.at(level));
            services.webhooking.polling().mount(table.at(level));
        }
        SearchHttp search = new SearchHttp(services.database, services.contents, services.searching());
        search.mountMessages(table.at(Level.INBOX));
        InboxSearchHttp inboxSearch = new InboxSearchHttp(services.database, services.searching());
        for (Level level : List.of(Level.ORGANIZATION, Level.POD)) {
            search.mountThreads(table.at(level));
            inboxSearch.mount(table.at(level));
        }
        search.mountThreads(table.at(Level.INBOX));
        return table;
    }

    /** What an operator's tools ask, on whichever port they may. */
    static OperatorHttp operator(Application services) {
        return new OperatorHttp(
                () -> services.database.isReachable() ? null : "the database is away", services.metrics);
    }

    private static void root(Application services, Routes root) {
        OperatorHttp operator = operator(services);
        operator.mountHealth(root);
        ErrorsHttp.mount(root);
        new DownloadHttp(
                        services.database,
                        services.messages,
                        services.contents,
                        services.links,
                        services.drafting::download)
                .mount(root);
        services.webhooking.polling().mountQueue(root);
        new OpenHttp(services.pixels, services.opens).mount(root);
        new UnsubscribeHttp(services.unsubscribes).mount(root);
        new SessionHttp(
                        services.sessions,
                        new HumanAddresses(false, services.settings.names().domain()),
                        services.pace)
                .mount(root);
        if (services.settings.mode() == Settings.Mode.DEV) {
            operator.mountMetrics(root);
            if (services.settings.network().httpBind().isLoopbackAddress()) {
                new SandboxHttp(services.database, services.messages, services.contents).mount(root);
            }
        }
    }

    private static void organization(Application services, Routes organization) {
        services.streams.mount(organization);
        Settings settings = services.settings;
        Settings.Limits limits = settings.policy().limits();
        new OrganizationHttp(
                        services.database,
                        new OrganizationHttp.Limits(
                                new OrganizationHttp.Count(Inboxes::count, limits.of("inboxes", Integer.MAX_VALUE)),
                                new OrganizationHttp.Count(Domains::count, limits.of("domains", Integer.MAX_VALUE)),
                                ApplicationConfig.storageQuota(settings)),
                        settings.policy().labs())
                .mount(organization);
        new SignUpHttp(
                        ApplicationConfig.entrance(settings),
                        new HumanAddresses(
                                settings.mode() == Settings.Mode.PRODUCTION,
                                settings.names().domain()),
                        new SignUpHttp.Actions(services.signUps, services.verification, services.attaching),
                        services.pace)
                .mount(organization);
    }

    private static void inbox(Application services, Routes inbox) {
        services.streams.mountInbox(inbox);
        new MessageHttp(
                        services.messages,
                        new FullMessageReads(services.database),
                        services.deletions,
                        services.contents,
                        services.links)
                .mount(inbox);
        new InboxFeedHttp(services.feed).mount(inbox);
        new SendHttp(services.sendOnce, services.sources).mount(inbox);
    }
}
