package dev.inboxd.mailbox.claim;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What threads and messages show of a claim while it lasts.
 *
 * @param worker what its holder calls itself, or null
 * @param key the key that made it, or null
 * @param until null when nobody claims it
 */
public record ShownClaim(
        @Nullable String worker,
        @Nullable String key,
        @Nullable Instant until) {
    /** Nobody claims it. */
    public static final ShownClaim NONE = new ShownClaim(null, null, null);
    /** The column of a thread with the alias {@code t}. */
    public static final String OF_THREAD = column("t");
    /** The column of a message with the alias {@code m}. */
    public static final String OF_MESSAGE = column("m");
    /** The condition that a thread with the alias {@code t} is claimed. */
    public static final String EXISTS = "exists (select 1 from thread_claim c where c.organization_id = {organization}"
            + " and c.thread_id = t.thread_id and c.held and c.expires_at > {now})";

    private static String column(String alias) {
        return "(select json_build_object('worker', c.worker, 'key', case when c.holder = 'key' then c.holder_id end,"
                + " 'until', (extract(epoch from c.expires_at) * 1000000)::int8)::text from thread_claim c"
                + " where c.organization_id = {organization} and c.thread_id = " + alias
                + ".thread_id and c.held and c.expires_at > {now}) as claim";
    }

    /** Reads the column. */
    public static ShownClaim read(Row row) {
        String column = row.textOrNull("claim");
        if (column == null
                || !(Json.stored(column) instanceof Map<?, ?> json)
                || !(json.get("until") instanceof Number until)) {
            return NONE;
        }
        return new ShownClaim(
                json.get("worker") instanceof String worker ? worker : null,
                json.get("key") instanceof String key ? key : null,
                Instant.EPOCH.plus(until.longValue(), ChronoUnit.MICROS));
    }

    /** The members behind all others; none where nobody claims it. */
    public JsonObject json() {
        return until == null
                ? new JsonObject()
                : JsonObject.of("claimed_by", JsonObject.of("worker", worker).with("api_key_id", key))
                        .with("claimed_until", until);
    }
}
