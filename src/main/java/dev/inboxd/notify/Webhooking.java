package dev.inboxd.notify;

import dev.inboxd.notify.webhook.Deliveries;
import dev.inboxd.notify.webhook.DeliveryLog;
import dev.inboxd.notify.webhook.Outgoing;
import dev.inboxd.notify.webhook.Payloads;
import dev.inboxd.notify.webhook.Replays;
import dev.inboxd.notify.webhook.Trials;
import dev.inboxd.notify.webhook.WebhookChanges;
import dev.inboxd.notify.webhook.WebhookHttp;
import dev.inboxd.notify.webhook.Webhooks;
import dev.inboxd.notify.webhook.polling.Polling;
import dev.inboxd.notify.webhook.polling.PollingHttp;
import dev.inboxd.notify.webhook.polling.PollingWebhooks;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.job.Jobs;
import dev.inboxd.platform.rate.Pacing;
import java.net.URI;

/** Webhooks with everything behind them, as the service is wired. */
public final class Webhooking {
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
            Outgoing outgoing,
            Jobs jobs,
            Deliveries deliveries,
            Payloads payloads,
            URI publicUrl,
            Pacing pacing) {}

    /**
     * How many webhooks one owner may have.
     *
     * @param pushed of those that are called
     * @param polled of those that are fetched from
     */
    public record Most(int pushed, int polled) {}

    /** Webhooks with these parts; nothing runs yet. */
    public Webhooking(Parts parts, Most most) {
        Webhooks.Cancelling cancelling = new Webhooks.Cancelling(parts.jobs, parts.deliveries);
        Replays replays = new Replays(parts.database, parts.outgoing.vault(), parts.jobs, parts.deliveries);
        this.webhooks = new Webhooks(parts.database, parts.outgoing.vault(), cancelling, most.pushed);
        this.http = new WebhookHttp(new WebhookHttp.Parts(
                webhooks,
                new WebhookChanges(parts.database, parts.outgoing.vault(), cancelling, replays),
                new DeliveryLog(parts.database, parts.outgoing.vault(), parts.deliveries),
                replays,
                new Trials(parts.database, parts.outgoing, parts.deliveries.targets()),
                parts.outgoing.http(),
                parts.outgoing.clock()));
        this.polling = new PollingHttp(
                new PollingWebhooks(parts.database, parts.outgoing.vault(), cancelling, most.polled),
                new Polling(parts.database, parts.payloads, parts.pacing),
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
