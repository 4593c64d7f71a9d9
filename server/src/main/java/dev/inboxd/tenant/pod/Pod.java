package dev.inboxd.tenant.pod;

import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A pod.
 *
 * @param isDefault whether it is the pod of resources that are created without one
 * @param sendingStoppedAt since when nothing leaves it (approvals.md §5), or null
 * @param inboxes the public ids of its first thousand inboxes, the oldest first
 */
record Pod(
        UUID id,
        String name,
        @Nullable String description,
        @Nullable String clientId,
        boolean isDefault,
        @Nullable Instant sendingStoppedAt,
        List<String> inboxes,
        Instant createdAt,
        Instant updatedAt) {
    Pod {
        inboxes = List.copyOf(inboxes);
    }

    /** The JSON form (identity.md §10). */
    JsonObject json() {
        return JsonObject.of("pod_id", id)
                .with("name", name)
                .with("description", description)
                .with("client_id", clientId)
                .with("inbox_ids", inboxes)
                .with("sending_stopped_at", sendingStoppedAt)
                .with("updated_at", updatedAt)
                .with("created_at", createdAt);
    }
}
