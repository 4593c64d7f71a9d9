package dev.inboxd.notify.webhook;

import dev.inboxd.event.EventType;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Base62;
import dev.inboxd.platform.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sends an invented event to an endpoint at once and tells what it answered. Nothing is counted, repeated or kept. */
public final class TestDelivery {
    private static final int RANDOM_CHARACTERS = 22;
    /** How long a trial waits for a place at its target: somebody waits for the answer. */
    private static final Duration FOR_A_PLACE = Duration.ofSeconds(5);

    private static final HttpOutcome NO_PLACE = new HttpOutcome.NoResponse(
            HttpOutcome.Failure.BUSY,
            "So many deliveries to this host are under way that there was no place for a trial. Try again later.");

    private final Database database;
    private final WebhookPoster outgoing;
    private final HostLimiter targets;
    private final WebhookSql webhooks;

    /** Trials of the webhooks in a database, which take their places among the deliveries' at those targets. */
    public TestDelivery(Database database, WebhookPoster outgoing, HostLimiter targets) {
        this.database = database;
        this.outgoing = outgoing;
        this.targets = targets;
        this.webhooks = new WebhookSql(outgoing.vault());
    }

    private record Found(Webhook webhook, Endpoint endpoint) {}

    /**
     * Tries a webhook, also a disabled one; waits for the answer.
     *
     * @param type what to tell of, or null for the first type that it subscribes to
     * @return the answer of the endpoint, as JSON
     * @throws Problem {@code not_found}
     */
    JsonObject run(View view, String id, @Nullable EventType type) {
        Found found = database.read(tx -> find(tx, view, id));
        Webhook webhook = found.webhook;
        EventType told = type != null ? type : webhook.eventTypes().getFirst();
        String eventId = SamplePayloads.ID + Base62.random(RANDOM_CHARACTERS);
        String inbox = webhook.owner().inboxName() != null
                ? webhook.owner().inboxName()
                : webhook.targets().inboxes().isEmpty()
                        ? "test@inboxd.invalid"
                        : webhook.targets().inboxes().getFirst();
        Instant now = outgoing.clock().instant();
        byte[] content = new SamplePayloads(view.organization(), inbox, now).of(told, eventId);
        long start = System.nanoTime();
        HttpOutcome outcome = post(view.organization(), found, new TestPayload(eventId, now, content));
        JsonObject json = JsonObject.of("svix_id", DeliveryId.of(eventId, found.endpoint.owner()))
                .with("event_id", eventId)
                .with("event_type", told.wireName())
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

    /** What is posted, and the time of it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record TestPayload(String eventId, Instant at, byte[] content) {}

    /** A trial is made by hand, however often: it says nothing of its host to others. */
    private HttpOutcome post(UUID organization, Found found, TestPayload told) {
        WebhookPoster.ResolvedEndpoint aim = outgoing.resolve(found.endpoint, targets);
        HostLimiter.Permit stay =
                targets.enter(organization, aim.destination(), System.nanoTime() + FOR_A_PLACE.toNanos());
        if (stay == null) {
            return NO_PLACE;
        }
        try {
            return outgoing.post(found.webhook.id(), aim, told.eventId, told.at, told.content);
        } finally {
            stay.release(0);
        }
    }

    private Found find(Tx tx, View view, String id) {
        Webhook webhook = webhooks.find(tx, view, id).orElseThrow(() -> Problem.notFound("Webhook"));
        Endpoint endpoint = webhooks.endpoint(tx, View.of(view.organization()), id, true)
                .orElseThrow(() -> Problem.notFound("Webhook"))
                .in(view.organization(), outgoing.http());
        return new Found(webhook, endpoint);
    }
}
