package dev.inboxd.observe.audit;

import dev.inboxd.base.database.Statement;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.id.Uuid7;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of the audit log are asked for.
 *
 * @param actor a kind of actors, the name or address of one, or the id of a key or a session; null for all
 * @param action an action, or what stands before its dot; null for all
 * @param after only entries of this time or later
 * @param before only entries of before this time
 */
record AuditFilter(
        @Nullable String actor,
        @Nullable String action,
        @Nullable Instant after,
        @Nullable Instant before) {
    /** The filter of a request. */
    static AuditFilter of(Query query) {
        return new AuditFilter(
                query.text("actor"), query.text("action"), query.instant("after"), query.instant("before"));
    }

    /** Whether entries are looked through for those that are asked for; times alone are found by an index. */
    boolean looksThrough() {
        return actor != null || action != null;
    }

    /** The same for all actors and actions. */
    AuditFilter timesAlone() {
        return new AuditFilter(null, null, after, before);
    }

    /** The condition on an entry a, with its parameters below. */
    String condition() {
        return (after == null ? "" : " and a.entry_id >= :from")
                + (before == null ? "" : " and a.entry_id < :to")
                + (actor == null ? "" : " and (:actor in (a.actor, a.actor_name) or a.actor_id = :actor_id::uuid)")
                + (action == null ? "" : " and :action in (a.action, split_part(a.action, '.', 1))");
    }

    /** Binds what the condition names. */
    Statement bind(Statement statement) {
        return statement
                .bind("from", after == null ? null : first(after))
                .bind("to", before == null ? null : first(before))
                .bind("actor", actor)
                .bind("actor_id", actor == null ? null : Uuid7.parse(actor))
                .bind("action", action);
    }

    /** The lowest id of a time: ids begin with their milliseconds (RFC 9562 §5.7). */
    private static UUID first(Instant time) {
        return new UUID(Math.max(0, time.toEpochMilli()) << 16, 0);
    }
}
