package dev.inboxd.server;

import dev.inboxd.account.AccountModule;
import dev.inboxd.app.AppModule;
import dev.inboxd.app.account.Accounts;
import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.RequestObserver;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.log.CounterFamily;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.time.MovableClock;
import dev.inboxd.calendar.CalendarModule;
import dev.inboxd.calendar.invitation.InvitationModule;
import dev.inboxd.config.Settings;
import dev.inboxd.console.ConsoleModule;
import dev.inboxd.console.session.ConsoleConfig;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.inbound.InboundConfig;
import dev.inboxd.inbound.InboundModule;
import dev.inboxd.mailbox.MailboxModule;
import dev.inboxd.mailbox.search.index.Indexer;
import dev.inboxd.mcp.McpModule;
import dev.inboxd.net.NetModule;
import dev.inboxd.notify.WebhookModule;
import dev.inboxd.notify.stream.StreamModule;
import dev.inboxd.outbound.OutboundModule;
import dev.inboxd.payment.PaymentConfig;
import dev.inboxd.payment.PaymentModule;
import dev.inboxd.payment.ledger.PaymentGrounds;
import dev.inboxd.queue.ScriptedRecipients;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.reference.PricedDescription;
import dev.inboxd.reference.ReferenceModule;
import dev.inboxd.sandbox.SandboxModule;
import dev.inboxd.sandbox.clock.ClockModule;
import dev.inboxd.sandbox.fault.WorldFaults;
import dev.inboxd.sandbox.reset.ResetModule;
import dev.inboxd.sandbox.reset.ServerReset;
import dev.inboxd.screening.ScreeningModule;
import dev.inboxd.sending.SendingModule;
import dev.inboxd.sending.answer.AnsweredDrafts;
import dev.inboxd.sending.draft.DraftModule;
import dev.inboxd.server.retention.Retention;
import dev.inboxd.smtp.SmtpModule;
import dev.inboxd.smtp.server.ListenerRole;
import dev.inboxd.smtp.submission.ApiKeySaslAuthenticator;
import dev.inboxd.tenant.TenantModule;
import dev.inboxd.tenant.apikey.CredentialAuthenticator;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.tenant.organization.Organizations;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Constructs the modules, each from those that it uses, and mounts their routes. Where a lower module calls a higher
 * one, it calls a hook; all hooks between modules are set here. Nothing runs yet.
 */
final class Application {
    private final PlatformModule platform;
    private final WebhookModule webhooks;
    private final TenantModule tenant;
    private final MailboxModule mailbox;
    private final SendingModule sending;
    private final InboundModule inbound;
    private final OutboundModule outbound;
    private final StreamModule streams;
    private final SmtpModule smtp;
    private final ConsoleModule console;
    private final HttpModule http;
    private final RouteTable routes = new RouteTable();
    private final List<ServiceModule> modules = new ArrayList<>();

    /** The modules for these settings. The ports are last: when HTTP answers, everything else runs. */
    Application(Settings settings, PlatformModule.Storage storage, ListenerConfigs listeners) {
        ModuleConfigs configs = new ModuleConfigs(settings, listeners.publicUrl());
        FaultHooks faults = FaultHooks.of(settings.mode(), storage);
        this.platform = add(PlatformModule.of(configs.platform(), faults.storage()));
        NetModule net = add(NetModule.of(ModuleConfigs.net(settings, listeners.own()), faults.lookups()));
        this.webhooks = add(new WebhookModule(configs.webhooks(), platform, net.http(), faults.posts()));
        EventLog events = events(webhooks, platform);
        this.tenant = add(new TenantModule(configs.tenant(), platform, net, deletions(events)));
        this.mailbox = add(new MailboxModule(configs.mailbox(), platform, net.http(), events));
        this.sending = add(new SendingModule(configs.sending(), platform, tenant, mailbox));
        add(new DraftModule(platform, mailbox, sending));
        InvitationModule invitations = add(new InvitationModule(configs.calendars(), platform, mailbox, sending));
        add(new ScreeningModule(platform, mailbox, List.of(invitations.imports()::released, AnsweredDrafts::released)));
        add(new CalendarModule(configs.calendars(), platform, events, invitations.sender()));
        this.inbound = inbound(configs.inbound(net.config()), invitations, net.faults());
        ScriptedRecipients scripted = scripted(settings, net, faults.world());
        OutboundModule.Parts parts = new OutboundModule.Parts(tenant, mailbox, sending, inbound, scripted);
        this.outbound = add(new OutboundModule(OutboundConfigs.of(settings, net), platform, parts));
        AccountModule account =
                add(new AccountModule(configs.account(), platform, systemMail(), webhooks.webhooks()::rotated));
        CredentialAuthenticator authenticator = tenant.authenticator(account.sessions()::authenticate);
        this.streams = add(new StreamModule(platform, authenticator));
        Retention retention = add(new Retention(platform, settings.storage().retention()));
        this.smtp = add(new SmtpModule(listeners.smtp(), platform, mx(), submission(authenticator)));
        AppModule apps = add(new AppModule(configs.apps(), platform));
        addClock(settings, faults.world(), retention, apps);
        add(new TelemetryModule(listeners.telemetry(), platform));
        this.console = console(configs.console(), account, net);
        add(new McpModule(ModuleConfigs.version(), console::isGivenToProgram));
        add(new ReferenceModule(platform.config().publicUrl(), ModuleConfigs.version()));
        add(console);
        PaymentModule payments = payments(configs.payments(), net);
        HttpModule.Callers callers = new HttpModule.Callers(authenticator, tenant.audit(), faults.calls());
        this.http = add(new HttpModule(listeners.http(), platform, callers, routes));
        setHooks(events);
        modules.forEach(module -> module.mount(routes));
        apps.mountAdmin(http.adminRoutes());
        payments.mountAdmin(http.adminRoutes(), configs.apps().adminToken());
    }

    private InboundModule inbound(InboundConfig config, InvitationModule invitations, LookupFaults faults) {
        InboundModule.Parts parts = new InboundModule.Parts(tenant, mailbox, invitations, faults);
        return add(new InboundModule(config, platform, parts));
    }

    /** The world to test in, which is there in development alone. */
    private ScriptedRecipients scripted(Settings settings, NetModule net, @Nullable WorldFaults faults) {
        if (faults == null) {
            return ScriptedRecipients.NONE;
        }
        SandboxModule.Parts parts =
                new SandboxModule.Parts(mailbox, inbound.store(), net.http(), calls(RequestObserver.NONE), faults);
        return add(new SandboxModule(OutboundConfigs.sandbox(settings), platform, parts))
                .recipients();
    }

    private ConsoleModule console(ConsoleConfig config, AccountModule account, NetModule net) {
        LocalCalls calls = calls(tenant.audit());
        return new ConsoleModule(
                config,
                platform,
                new ConsoleModule.Parts(
                        calls,
                        account,
                        new ConsoleModule.Mail(systemMail(), () -> smtp().mxPort(), mailbox.trash()),
                        new ConsoleModule.Keys(tenant.apiKeys(), net.http())));
    }

    /** The last of all that mount routes: it sells those that are there. */
    private PaymentModule payments(PaymentConfig config, NetModule net) {
        return add(new PaymentModule(
                config,
                platform,
                new PaymentModule.Parts(
                        new Organizations(platform.database(), platform.clock()),
                        net.config(),
                        calls(RequestObserver.NONE),
                        calls(tenant.audit()),
                        mailbox.fetcher(),
                        new PricedDescription(ModuleConfigs.version()))));
    }

    private LocalCalls calls(RequestObserver observer) {
        return new LocalCalls(routes, new InboxScopeResolver(platform.database()), HttpModule.seal(platform), observer);
    }

    /** In development the clock can be moved, and the server begins anew when it is told to. */
    private void addClock(Settings settings, @Nullable WorldFaults faults, Retention retention, AppModule apps) {
        if (faults == null || !(platform.clock() instanceof MovableClock movable)) {
            return;
        }
        List<Runnable> behind = List.of(retention::sweep, mailbox.trash()::sweep, apps::rotateKeys);
        ClockModule clock = add(new ClockModule(platform, movable, behind));
        Bootstrap bootstrap = new Bootstrap(settings, platform.database(), tenant.signingKeys(), platform.clock());
        List<Runnable> caches = List.of(tenant.knownRecipients()::clear, faults::follow, apps::readFile);
        ServerReset server = new ServerReset(platform.database(), clock, bootstrap::run, caches);
        add(new ResetModule(platform, faults::announce, server));
    }

    private <M extends ServiceModule> M add(M module) {
        modules.add(module);
        return module;
    }

    /** The log hands what it appends to webhooks; deliveries that find no room in memory stay in their rows. */
    private static EventLog events(WebhookModule webhooks, PlatformModule platform) {
        EventLog events = new EventLog(webhooks.dispatcher(), platform.nodes()::claimant);
        events.leaveToRows(webhooks.dispatcher()::full);
        CounterFamily counted = platform.metrics().counters("inboxd.events", "Events by type", "type");
        Stream.of(EventType.values()).forEach(type -> counted.with(type.wireName()));
        events.onEvent(type -> counted.increment(type.wireName()));
        return events;
    }

    /** Webhooks, drafts, calendars, accounts and the index of an inbox or a pod end with it. */
    private TenantModule.Hooks deletions(EventLog events) {
        return new TenantModule.Hooks(
                events,
                List.of(
                        PaymentGrounds::inboxDeleted,
                        webhooks.webhooks(),
                        DraftModule.purge(platform),
                        CalendarModule.purge(platform),
                        Accounts::inboxDeleted),
                List.of(PaymentGrounds::podDeleted, webhooks.webhooks()::podDeleted, Indexer::podDeleted),
                List.of(PaymentGrounds::domainDeleted),
                List.of(DraftModule::bind, CalendarModule::bind, InvitationModule::bind));
    }

    private SystemMail systemMail() {
        return new SystemMail(
                sending.submissions(), tenant.signingKeys(), tenant.config().domain(), platform.clock());
    }

    private ListenerRole.Mx mx() {
        return new ListenerRole.Mx(inbound.store());
    }

    private ListenerRole.Submission submission(CredentialAuthenticator authenticator) {
        return new ListenerRole.Submission(new ApiKeySaslAuthenticator(new ApiKeySaslAuthenticator.Parts(
                authenticator,
                new InboxScopeResolver(platform.database()),
                platform.requestLimits(),
                sending.sender(),
                sending.idempotency(),
                platform.database().gate())));
    }

    private void setHooks(EventLog events) {
        // What was appended wakes the index, then the streams.
        events.onAppended(appended -> mailbox.indexer().changed(appended.organization()));
        events.onAppended(streams::appended);
        // The queue delivers what sends put into it.
        sending.submissions().setDeliverer(outbound.queue());
        // Purged inboxes lose their mail; sockets end with the keys that opened them.
        tenant.onInboxPurge(mailbox.purge());
        tenant.revocations().onChange(_ -> streams.credentialsChanged());
        platform.nodes().onMarks(_ -> streams.credentialsChanged());
    }

    /** Registers everything that is started and stopped. */
    Lifecycle lifecycle() {
        Lifecycle lifecycle = new Lifecycle();
        modules.forEach(module -> module.register(lifecycle));
        return lifecycle;
    }

    PlatformModule platform() {
        return platform;
    }

    TenantModule tenant() {
        return tenant;
    }

    InboundModule inbound() {
        return inbound;
    }

    ConsoleModule console() {
        return console;
    }

    SmtpModule smtp() {
        return smtp;
    }

    HttpModule http() {
        return http;
    }

    RouteTable routes() {
        return routes;
    }
}
