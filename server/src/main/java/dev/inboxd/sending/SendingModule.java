package dev.inboxd.sending;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.mailbox.MailboxModule;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.sending.compose.OriginalMessage;
import dev.inboxd.sending.feedback.UnsubscribeHttp;
import dev.inboxd.sending.feedback.Unsubscribes;
import dev.inboxd.sending.idempotency.Idempotency;
import dev.inboxd.sending.limit.SendingConfig;
import dev.inboxd.sending.trace.TraceHttp;
import dev.inboxd.sending.tracking.OpenHttp;
import dev.inboxd.sending.tracking.Opens;
import dev.inboxd.sending.tracking.TrackingPixels;
import dev.inboxd.tenant.TenantModule;
import java.net.URI;
import java.time.Duration;

/** Sending as an agent sees it, up to the queue. */
public final class SendingModule implements ServiceModule {
    private final PlatformModule platform;
    private final SendingConfig config;
    private final MailboxModule mailbox;
    private final SubmissionQueue submissions = new SubmissionQueue();
    private final TrackingPixels pixels;
    private final Opens opens;
    private final Unsubscribes unsubscribes;
    private final MailSender sender;
    private final Idempotency idempotency;
    private final OriginalMessage.Finder originals;

    /** Sending from the inboxes of this platform. */
    public SendingModule(SendingConfig config, PlatformModule platform, TenantModule tenant, MailboxModule mailbox) {
        this.config = config;
        this.mailbox = mailbox;
        this.platform = platform;
        Database database = platform.database();
        Vault vault = platform.vault();
        this.pixels = new TrackingPixels(pixelHosts(tenant), vault.derive("pixels"));
        this.opens = new Opens(database, mailbox.events());
        this.unsubscribes = new Unsubscribes(database, platform.config().publicUrl(), vault.deriveAll("unsubscribe"));
        this.sender = new MailSender(new MailSender.Parts(
                database,
                mailbox.largeMessages(),
                tenant.senders(),
                submissions,
                mailbox.events(),
                platform.links(),
                pixels,
                unsubscribes,
                mailbox.fetcher(),
                config.quota(),
                config.storage(),
                config.loops(),
                mailbox.readable(),
                platform.clock(),
                config.largest()));
        this.idempotency = new Idempotency(database, platform.nodes());
        this.originals = new OriginalMessage.Finder(mailbox.messages(), mailbox.contents());
    }

    /**
     * From which domains opens can be tracked, and where their pixels are served, at the scheme and the port of the
     * public URL: the service's own, when a name was given for it, and customers' as their records say.
     */
    private TrackingPixels.PixelHosts pixelHosts(TenantModule tenant) {
        URI publicUrl = platform.config().publicUrl();
        String port = publicUrl.getPort() < 0 ? "" : ":" + publicUrl.getPort();
        return (organization, domain) -> {
            String host = domain.equals(tenant.config().domain())
                    ? config.tracking().own().orElse(null)
                    : tenant.senders().trackingHost(organization, domain);
            return host == null ? null : URI.create(publicUrl.getScheme() + "://" + host + port);
        };
    }

    public SendingConfig config() {
        return config;
    }

    /** Takes what leaves; who delivers it is set later. */
    public SubmissionQueue submissions() {
        return submissions;
    }

    public MailSender sender() {
        return sender;
    }

    public Idempotency idempotency() {
        return idempotency;
    }

    /** Finds what a message answers or forwards. */
    public OriginalMessage.Finder originals() {
        return originals;
    }

    @Override
    public void mount(RouteTable routes) {
        new SendHttp(sender, idempotency, originals).mount(routes.at(Level.INBOX));
        new TraceHttp(platform.database(), mailbox.messages(), mailbox.contents()).mount(routes.at(Level.INBOX));
        OpenHttp pixelRoute = new OpenHttp(pixels, opens);
        pixelRoute.mount(routes.at(Level.ROOT));
        RouteTable pixelRoutes = new RouteTable();
        pixelRoute.mount(pixelRoutes.at(Level.ROOT));
        routes.serveAt(config.tracking()::isForPixelsAlone, pixelRoutes);
        new UnsubscribeHttp(unsubscribes).mount(routes.at(Level.ROOT));
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.add(Phase.SHARED, opens::start, opens::close);
        PeriodicTask cleanup = new PeriodicTask("answered sends", Duration.ofMillis(200), idempotency::cleanUp);
        lifecycle.add(Phase.JOBS, cleanup::start, cleanup::close);
    }
}
