package dev.inboxd.notify.webhook;

import dev.inboxd.event.EventType;
import dev.inboxd.platform.id.Base62;
import dev.inboxd.platform.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A webhook.
 *
 * @param id its public id
 * @param secret signs its deliveries; its owner may always read it
 * @param eventTypes at least one
 * @param targets what it listens to inside its owner
 */
public record Webhook(
        String id,
        Owner owner,
        String url,
        String secret,
        boolean enabled,
        List<EventType> eventTypes,
        Targets targets,
        @Nullable String clientId,
        Instant createdAt,
        Instant updatedAt) {
    public Webhook {
        eventTypes = List.copyOf(eventTypes);
    }

    /**
     * Whose it is; an organization's has neither.
     *
     * @param pod the pod it was made in, or the one of its inbox
     * @param inbox the inbox it was made in
     * @param inboxName that inbox's public id
     */
    public record Owner(
            @Nullable UUID pod,
            @Nullable UUID inbox,
            @Nullable String inboxName) {
        /** Whether it belongs to the whole organization. */
        boolean isOrganization() {
            return pod == null && inbox == null;
        }

        /** The id that tells owners apart. */
        public UUID within(UUID organization) {
            return inbox != null ? inbox : pod != null ? pod : organization;
        }
    }

    /**
     * Any of these; without any, the whole organization.
     *
     * @param pods ids of pods
     * @param inboxes public ids of inboxes
     */
    public record Targets(List<UUID> pods, List<String> inboxes) {
        public Targets {
            pods = List.copyOf(pods);
            inboxes = List.copyOf(inboxes);
        }
    }

    /** This webhook, changed at some time. */
    Webhook changed(List<EventType> types, Targets others, boolean on, Instant time) {
        return new Webhook(id, owner, url, secret, on, types, others, clientId, createdAt, time);
    }

    /** A new public id. */
    public static String newId() {
        return "ep_" + Base62.random(27);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return id;
    }

    /** The JSON form (events.md §1.1). */
    JsonObject json() {
        return JsonObject.of("webhook_id", id)
                .with("pod_id", owner.pod)
                .with("inbox_id", owner.inboxName)
                .with("url", url)
                .with(
                        "event_types",
                        eventTypes.stream().map(EventType::wireName).toList())
                .with("pod_ids", targets.pods.isEmpty() ? null : targets.pods)
                .with("inbox_ids", targets.inboxes.isEmpty() ? null : targets.inboxes)
                .with("secret", secret)
                .with("enabled", enabled)
                .with("client_id", clientId)
                .with("updated_at", updatedAt)
                .with("created_at", createdAt);
    }
}
