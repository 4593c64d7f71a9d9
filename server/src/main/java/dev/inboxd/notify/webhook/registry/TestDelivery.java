package dev.inboxd.notify.webhook.registry;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Base62;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventType;
import dev.inboxd.net.HostLimiter;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.notify.delivery.WebhookPoster;
import dev.inboxd.notify.webhook.DeliveryId;
import dev.inboxd.notify.webhook.Endpoint;
import dev.inboxd.notify.webhook.Webhook;
import dev.inboxd.notify.webhook.WebhookSql;
import dev.inboxd.tenant.organization.EverythingStop;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Posts an invented event to an endpoint at once and returns the response. A test delivery is not retried, logged or
 * counted.
 */
public final class TestDelivery {
    private static final int RANDOM_CHARACTERS = 22;
    /** How long a test delivery waits for a permit of its host: a client waits for the answer. */
    private static final Duration PERMIT_TIMEOUT = Duration.ofSeconds(5);

    private static final HttpOutcome NO_PERMIT = new HttpOutcome.NoResponse(
            HttpOutcome.Failure.BUSY, "Too many deliveries to this host are in progress. Try again later.");

    private final Database database;
    private final WebhookPoster poster;
    private final HostLimiter hosts;
    private final WebhookSql webhooks;

    /** Test deliveries for the webhooks of a database. They count against the same host limits as other deliveries. */
    public TestDelivery(Database database, WebhookPoster poster, HostLimiter hosts) {
        this.database = database;
        this.poster = poster;
        this.hosts = hosts;
        this.webhooks = new WebhookSql(poster.vault());
    }

    private record TestTarget(Webhook webhook, Endpoint endpoint) {}

    /**
     * Posts a test event to a webhook, also to a disabled one, and waits for the response.
     *
     * @param type the event type, or null for the first type that the webhook subscribes to
     * @return the response of the endpoint, as JSON
     * @throws Problem {@code not_found}
     */
    public JsonObject run(View view, String id, @Nullable EventType type) {
        TestTarget target = database.read(tx -> find(tx, view, id));
        Webhook webhook = target.webhook;
        EventType sampled = type != null ? type : webhook.eventTypes().getFirst();
        String eventId = SamplePayloads.ID + Base62.random(RANDOM_CHARACTERS);
        String inbox = webhook.owner().inboxName() != null
                ? webhook.owner().inboxName()
                : webhook.targets().inboxes().isEmpty()
                        ? "test@inboxd.invalid"
                        : webhook.targets().inboxes().getFirst();
        Instant now = poster.clock().instant();
        byte[] content = new SamplePayloads(view.organization(), inbox, now).of(sampled, eventId);
        long start = System.nanoTime();
        HttpOutcome outcome = post(view.organization(), target, new WebhookPoster.EventPost(eventId, content));
        JsonObject json = JsonObject.of("svix_id", DeliveryId.of(eventId, target.endpoint.owner()))
                .with("event_id", eventId)
                .with("event_type", sampled.wireName())
                .with("latency_ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        return switch (outcome) {
            case HttpOutcome.Response answered ->
                json.with("delivered", answered.successful())
                        .with("status", answered.status())
                        .with("answer", answered.opening());
            case HttpOutcome.NoResponse failed ->
                json.with("delivered", false)
                        .with("error", failed.kind().name().toLowerCase(Locale.ROOT) + ": " + failed.detail());
        };
    }

    /**
     * Posts the event. A user may send test deliveries at will, so their outcome does not change the limit of the host.
     */
    private HttpOutcome post(UUID organization, TestTarget target, WebhookPoster.EventPost payload) {
        WebhookPoster.ResolvedEndpoint resolved = poster.resolve(target.endpoint, hosts);
        HostLimiter.Permit permit =
                hosts.enter(organization, resolved.destination(), System.nanoTime() + PERMIT_TIMEOUT.toNanos());
        if (permit == null) {
            return NO_PERMIT;
        }
        try {
            return poster.post(target.webhook.id(), resolved, payload);
        } finally {
            permit.release(0);
        }
    }

    private TestTarget find(Tx tx, View view, String id) {
        Webhook webhook = webhooks.find(tx, view, id).orElseThrow(() -> Problem.notFound("Webhook"));
        EverythingStop.check(tx, view.organization());
        Endpoint endpoint = webhooks.endpoint(tx, View.of(view.organization()), id, true)
                .orElseThrow(() -> Problem.notFound("Webhook"))
                .in(view.organization(), poster.http());
        return new TestTarget(webhook, endpoint);
    }
}
