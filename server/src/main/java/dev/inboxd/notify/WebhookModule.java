package dev.inboxd.notify;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.payload.ReceivedPayloads;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.notify.delivery.AttemptFaults;
import dev.inboxd.notify.delivery.DeliveryCancellation;
import dev.inboxd.notify.delivery.DeliveryDispatcher;
import dev.inboxd.notify.delivery.Payloads;
import dev.inboxd.notify.delivery.WebhookPoster;
import dev.inboxd.notify.webhook.http.WebhookHttp;
import dev.inboxd.notify.webhook.polling.PollingHttp;
import dev.inboxd.notify.webhook.polling.PollingQueue;
import dev.inboxd.notify.webhook.polling.PollingWebhooks;
import dev.inboxd.notify.webhook.registry.DeliveryLog;
import dev.inboxd.notify.webhook.registry.EventReplay;
import dev.inboxd.notify.webhook.registry.TestDelivery;
import dev.inboxd.notify.webhook.registry.WebhookChanges;
import dev.inboxd.notify.webhook.registry.Webhooks;
import java.util.List;

/** Webhooks that are called, and webhooks that are fetched from. */
public final class WebhookModule implements ServiceModule {
    private final DeliveryDispatcher dispatcher;
    private final Webhooks webhooks;
    private final WebhookHttp webhookHttp;
    private final PollingHttp pollingHttp;

    /**
     * Webhooks of this platform.
     *
     * @param http calls the endpoints
     * @param faults how posts end in development
     */
    public WebhookModule(WebhookConfig config, PlatformModule platform, SafeHttp http, AttemptFaults faults) {
        Database database = platform.database();
        Vault vault = platform.vault();
        MessageContents contents = new MessageContents(platform.blobs());
        Payloads payloads = new Payloads(new ReceivedPayloads(database, contents, platform.links()));
        WebhookPoster poster = new WebhookPoster(http, vault, platform.clock(), platform.nodes(), faults);
        this.dispatcher = new DeliveryDispatcher(
                new DeliveryDispatcher.Parts(
                        database, payloads, poster, platform.due(), platform.jobs(), config.deliveriesPerTarget()),
                platform.metrics());
        platform.takeOver().add(dispatcher.claims());
        DeliveryCancellation cancellation = new DeliveryCancellation(platform.jobs(), dispatcher);
        EventReplay replays = new EventReplay(database, vault, platform.jobs(), dispatcher);
        this.webhooks = new Webhooks(database, vault, cancellation, config.webhooks());
        this.webhookHttp = new WebhookHttp(new WebhookHttp.Parts(
                webhooks,
                new WebhookChanges(database, vault, cancellation, replays),
                new DeliveryLog(database, vault, dispatcher),
                replays,
                new TestDelivery(database, poster, dispatcher.targets()),
                http,
                platform.clock()));
        this.pollingHttp = new PollingHttp(
                new PollingWebhooks(database, vault, cancellation, config.pollingWebhooks()),
                new PollingQueue(database, payloads, platform.requestLimits()),
                platform.config().publicUrl());
    }

    /** Delivers what the event log appends. */
    public DeliveryDispatcher dispatcher() {
        return dispatcher;
    }

    /** The webhooks, for hooks that delete or rotate them. */
    public Webhooks webhooks() {
        return webhooks;
    }

    @Override
    public void mount(RouteTable routes) {
        for (Level level : List.of(Level.ORGANIZATION, Level.POD, Level.INBOX)) {
            webhookHttp.mount(routes.at(level));
            pollingHttp.mount(routes.at(level));
        }
        pollingHttp.mountQueue(routes.at(Level.ROOT));
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.add(Phase.WORKERS, dispatcher::start, dispatcher::close);
    }
}
