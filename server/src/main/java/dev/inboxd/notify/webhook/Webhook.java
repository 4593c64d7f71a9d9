package dev.inboxd.notify.webhook;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.id.Base62;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventType;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A webhook: a URL that events are posted to.
 *
 * @param id its public id
 * @param secret signs its deliveries; its owner may read it at any time
 * @param eventTypes the event types it subscribes to, at least one
 * @param targets the pods and inboxes it subscribes to, all within its owner
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
     * The owner of a webhook: an inbox, a pod, or, with neither, the organization.
     *
     * @param pod the pod it was created in, or the pod of its inbox
     * @param inbox the inbox it was created in
     * @param inboxName the public id of that inbox
     */
    public record Owner(
            @Nullable UUID pod,
            @Nullable UUID inbox,
            @Nullable String inboxName) {
        /** Whether the organization owns it. */
        public boolean isOrganization() {
            return pod == null && inbox == null;
        }

        /** The id of the owner: of the inbox, the pod or the organization. */
        public UUID within(UUID organization) {
            return inbox != null ? inbox : pod != null ? pod : organization;
        }
    }

    /**
     * The pods and inboxes whose events are delivered; without any, those of the whole organization.
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

    /** A copy with another secret. */
    public Webhook withSecret(String newSecret) {
        return new Webhook(id, owner, url, newSecret, enabled, eventTypes, targets, clientId, createdAt, updatedAt);
    }

    /** A copy of this webhook after a change. */
    public Webhook changed(List<EventType> types, Targets others, boolean on, Instant time) {
        return new Webhook(id, owner, url, secret, on, types, others, clientId, createdAt, time);
    }

    /** A new public id. */
    public static String newId() {
        return "ep_" + Base62.random(27);
    }

    /** The id alone, without the secret. */
    @Override
    public String toString() {
        return id;
    }

    /** The JSON form for a caller: the secret is not for people who may not change the webhook. */
    public JsonObject json(Caller caller) {
        return json(caller.role().covers(Role.OWN) ? secret : null);
    }

    /** The JSON form (events.md §1.1). */
    private JsonObject json(@Nullable String shown) {
        return JsonObject.of("webhook_id", id)
                .with("pod_id", owner.pod)
                .with("inbox_id", owner.inboxName)
                .with("url", url)
                .with(
                        "event_types",
                        eventTypes.stream().map(EventType::wireName).toList())
                .with("pod_ids", targets.pods.isEmpty() ? null : targets.pods)
                .with("inbox_ids", targets.inboxes.isEmpty() ? null : targets.inboxes)
                .with("secret", shown)
                .with("enabled", enabled)
                .with("client_id", clientId)
                .with("updated_at", updatedAt)
                .with("created_at", createdAt);
    }
}
