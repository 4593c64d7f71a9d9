package dev.inboxd.webhook;

import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.error.Problem;
import dev.inboxd.event.EventType;
import dev.inboxd.id.Base62;
import dev.inboxd.json.JsonObject;
import dev.inboxd.net.Outcome;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sends an invented event to an endpoint at once and tells what it answered. Nothing is counted, repeated or kept. */
public final class Trials {
    private static final int RANDOM_CHARACTERS = 22;

    private final Database database;
    private final Outgoing outgoing;
    private final WebhookSql webhooks;

    /** Trials of the webhooks in a database. */
    public Trials(Database database, Outgoing outgoing) {
        this.database = database;
        this.outgoing = outgoing;
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
        String eventId = Sample.ID + Base62.random(RANDOM_CHARACTERS);
        String inbox = webhook.owner().inboxName() != null ? webhook.owner().inboxName()
                : webhook.targets().inboxes().isEmpty() ? "test@inboxd.invalid" : webhook.targets().inboxes().getFirst();
        Instant now = outgoing.clock().instant();
        byte[] content = new Sample(view.organization(), inbox, now).of(told, eventId);
        long start = System.nanoTime();
        Outcome outcome = outgoing.post(webhook.id(), Outgoing.Aim.anywhere(found.endpoint), eventId, now, content);
        JsonObject json = JsonObject.of("svix_id", DeliveryId.of(eventId, found.endpoint.owner()))
                .with("event_id", eventId).with("event_type", told.wire())
                .with("latency_ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        return switch (outcome) {
            case Outcome.Answered answered -> json.with("delivered", answered.successful())
                    .with("status", answered.status()).with("answer", answered.opening());
            case Outcome.Failed failed -> json.with("delivered", false)
                    .with("error", failed.kind().name().toLowerCase(Locale.ROOT) + ": " + failed.detail());
        };
    }

    private Found find(Tx tx, View view, String id) {
        Webhook webhook = webhooks.find(tx, view, id).orElseThrow(() -> Problem.notFound("Webhook"));
        Endpoint endpoint = webhooks.endpoint(tx, View.of(view.organization()), id, true)
                .orElseThrow(() -> Problem.notFound("Webhook")).in(view.organization(), outgoing.http());
        return new Found(webhook, endpoint);
    }
}
