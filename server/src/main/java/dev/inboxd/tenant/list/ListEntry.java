package dev.inboxd.tenant.list;

import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a list.
 *
 * @param key the address or domain
 * @param reason the note of the client that created it, or of delivery
 * @param readOnly whether delivery created it, so that no client can delete it
 */
record ListEntry(
        ListOwner owner,
        ListName list,
        ListKey key,
        @Nullable String reason,
        boolean readOnly,
        Instant createdAt) {
    /** The path of the entry over HTTP. */
    String path() {
        return owner.path() + list.path() + "/" + ListOwner.encoded(key.text());
    }

    /** The JSON form (identity.md §12). */
    JsonObject json(UUID organization) {
        return JsonObject.of("entry", key.text())
                .with("organization_id", organization)
                .with("pod_id", owner.pod())
                .with("inbox_id", owner.inboxName())
                .with("direction", list.direction().wireName())
                .with("list_type", list.type().wireName())
                .with("entry_type", key.isDomain() ? "domain" : "email")
                .with("reason", reason)
                .with("read_only", readOnly ? true : null)
                .with("created_at", createdAt);
    }
}
