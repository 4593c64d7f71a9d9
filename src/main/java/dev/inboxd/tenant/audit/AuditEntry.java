package dev.inboxd.tenant.audit;

import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.json.RawJson;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log.
 *
 * @param actor api_key, user or operator
 * @param actorId the key or the session
 * @param actorName the name of the key, or the address of the person
 * @param target the public id of what was changed, or null
 * @param details JSON: which members were given, with the values of a few; or null
 * @param address where it came from, or null
 * @param request the id of the request, or null
 */
record AuditEntry(
        UUID id,
        Instant at,
        String actor,
        @Nullable UUID actorId,
        @Nullable String actorName,
        String action,
        @Nullable String target,
        @Nullable String details,
        @Nullable String address,
        @Nullable String request) {
    /** The JSON form (approvals.md §6). */
    JsonObject json() {
        String idMember = actor.equals("api_key") ? "api_key_id" : "session_id";
        return JsonObject.of("entry_id", id)
                .with(
                        "actor",
                        JsonObject.of("type", actor).with(idMember, actorId).with("name", actorName))
                .with("action", action)
                .with("target", target)
                .with("details", details == null ? null : new RawJson(details))
                .with("address", address)
                .with("request_id", request)
                .with("created_at", at);
    }
}
