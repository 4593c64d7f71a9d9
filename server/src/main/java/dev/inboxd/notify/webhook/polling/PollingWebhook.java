package dev.inboxd.notify.webhook.polling;

import dev.inboxd.base.id.Base62;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventType;
import dev.inboxd.notify.webhook.Webhook;
import dev.inboxd.notify.webhook.WebhookSignature;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A webhook without a URL: its events wait in a queue until a consumer fetches them (events.md §6). */
record PollingWebhook(
        String id,
        Webhook.Owner owner,
        String clientId,
        List<EventType> eventTypes,
        Webhook.Targets targets,
        Instant createdAt,
        Instant updatedAt) {
    private static final String APP = "app_";
    private static final int TOKEN_LENGTH = 43; // 256 bits

    PollingWebhook {
        eventTypes = List.copyOf(eventTypes);
    }

    /** The JSON form. */
    JsonObject json() {
        return JsonObject.of("webhook_id", id)
                .with("client_id", clientId)
                .with(
                        "event_types",
                        eventTypes.stream().map(EventType::wireName).toList())
                .with("pod_ids", targets.pods().isEmpty() ? null : targets.pods())
                .with("inbox_ids", targets.inboxes().isEmpty() ? null : targets.inboxes())
                .with("pod_id", owner.pod())
                .with("inbox_id", owner.inboxName())
                .with("updated_at", updatedAt)
                .with("created_at", createdAt);
    }

    /**
     * The token of a consumer, shown once, in the answer that creates it.
     *
     * @param bearer the bearer token of its requests
     * @param signing a secret that the published form of the token contains; it signs nothing
     */
    record Token(String bearer, String signing) {
        static Token random() {
            return new Token(Base62.random(TOKEN_LENGTH), WebhookSignature.newSecret());
        }

        /** The text form that the published consumer parses (events.md §6.2). */
        String text(UUID organization, String webhook, URI publicUrl) {
            String content = Json.text(JsonObject.of("aid", app(organization))
                    .with("eid", webhook)
                    .with("surl", publicUrl.toString().replaceAll("/+$", ""))
                    .with("esec", signing)
                    .with("tok", bearer));
            return "auto_v1_" + Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8));
        }

        /** Without the secrets. */
        @Override
        public String toString() {
            return "***";
        }
    }

    /** The name of an organization in the paths of the fetch routes. */
    private static String app(UUID organization) {
        return APP + organization.toString().replace("-", "");
    }

    /** The organization with this name, or null. */
    static @Nullable UUID organization(String app) {
        try {
            UUID id = app.length() != APP.length() + 32
                    ? null
                    : new UUID(
                            Long.parseUnsignedLong(app.substring(APP.length(), APP.length() + 16), 16),
                            Long.parseUnsignedLong(app.substring(APP.length() + 16), 16));
            return id != null && app(id).equals(app) ? id : null;
        } catch (NumberFormatException malformed) {
            return null;
        }
    }
}
