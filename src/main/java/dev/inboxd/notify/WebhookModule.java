package dev.inboxd.notify;

import dev.inboxd.notify.webhook.DeliveryDispatcher;
import dev.inboxd.notify.webhook.DeliveryLog;
import dev.inboxd.notify.webhook.EventReplay;
import dev.inboxd.notify.webhook.Payloads;
import dev.inboxd.notify.webhook.TestDelivery;
import dev.inboxd.notify.webhook.WebhookChanges;
import dev.inboxd.notify.webhook.WebhookHttp;
import dev.inboxd.notify.webhook.WebhookPoster;
import dev.inboxd.notify.webhook.Webhooks;
import dev.inboxd.notify.webhook.polling.PollingHttp;
import dev.inboxd.notify.webhook.polling.PollingQueue;
import dev.inboxd.notify.webhook.polling.PollingWebhooks;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.job.Jobs;
import dev.inboxd.platform.rate.RequestLimits;
import java.net.URI;

/** Webhooks with everything behind them, as the service is wired. */
public final class WebhookModule {
    private final Webhooks webhooks;
    private final WebhookHttp http;
    private final PollingHttp polling;

    /**
     * What webhooks stand on.
     *
     * @param deliveries makes the deliveries
     * @param payloads renders what polling webhooks are given
     * @param publicUrl where this service is reached, for the tokens of polling webhooks
     * @param pacing how often those tokens may be used
     */
    public record Parts(
            Database database,
            WebhookPoster outgoing,
            Jobs jobs,
            DeliveryDispatcher deliveries,
            Payloads payloads,
            URI publicUrl,
            RequestLimits pacing) {}

    /**
     * How many webhooks one owner may have.
     *
     * @param pushed of those that are called
     * @param polled of those that are fetched from
     */
    public record Limits(int pushed, int polled) {}

    /** Webhooks with these parts; nothing runs yet. */
    public WebhookModule(Parts parts, Limits most) {
        Webhooks.Cancellation cancelling = new Webhooks.Cancellation(parts.jobs, parts.deliveries);
        EventReplay replays = new EventReplay(parts.database, parts.outgoing.vault(), parts.jobs, parts.deliveries);
        this.webhooks = new Webhooks(parts.database, parts.outgoing.vault(), cancelling, most.pushed);
        this.http = new WebhookHttp(new WebhookHttp.Parts(
                webhooks,
                new WebhookChanges(parts.database, parts.outgoing.vault(), cancelling, replays),
                new DeliveryLog(parts.database, parts.outgoing.vault(), parts.deliveries),
                replays,
                new TestDelivery(parts.database, parts.outgoing, parts.deliveries.targets()),
                parts.outgoing.http(),
                parts.outgoing.clock()));
        this.polling = new PollingHttp(
                new PollingWebhooks(parts.database, parts.outgoing.vault(), cancelling, most.polled),
                new PollingQueue(parts.database, parts.payloads, parts.pacing),
                parts.publicUrl);
    }

    /** What can be done with webhooks, for those who delete what webhooks listen to. */
    public Webhooks webhooks() {
        return webhooks;
    }

    /** The routes of webhooks that are called. */
    public WebhookHttp http() {
        return http;
    }

    /** The routes of webhooks that are fetched from. */
    public PollingHttp polling() {
        return polling;
    }
}
