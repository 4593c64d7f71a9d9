package dev.inboxd.observe.audit;

import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request of a key. It has neither the values of its query nor its body.
 *
 * @param route the template of its route
 * @param code the code of an error, or null
 * @param millis how long it took
 */
record KeyRequest(
        UUID organization,
        UUID key,
        String id,
        Instant at,
        String method,
        String route,
        int status,
        @Nullable String code,
        int millis,
        String address) {
    /** The JSON form (approvals.md §7). */
    JsonObject json() {
        return JsonObject.of("request_id", id)
                .with("method", method)
                .with("route", route)
                .with("status", status)
                .with("code", code)
                .with("duration_ms", millis)
                .with("address", address)
                .with("created_at", at);
    }
}
