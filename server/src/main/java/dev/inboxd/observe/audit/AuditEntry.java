package dev.inboxd.observe.audit;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log.
 *
 * @param actorName the name of the key, or the address of the person
 * @param details JSON; or null
 * @param count how many changes it stands for; null for one that is always alone
 */
record AuditEntry(
        UUID id,
        Instant at,
        AuditActor actor,
        @Nullable String actorName,
        String action,
        @Nullable String target,
        @Nullable String details,
        @Nullable Integer count) {
    /** What a row takes beside its texts. */
    private static final int ROW = 160;

    private static final int LONGEST_TARGET = 1_024;

    /** A new entry of one change. */
    static AuditEntry of(Instant at, AuditActor actor, AuditChange change) {
        return new AuditEntry(
                Uuid7.at(at.toEpochMilli()),
                at,
                actor,
                null,
                change.action().wireName(),
                cut(change.target()),
                change.details().isEmpty() ? null : Json.text(change.details()),
                null);
    }

    private static @Nullable String cut(@Nullable String target) {
        return target == null || target.length() <= LONGEST_TARGET ? target : target.substring(0, LONGEST_TARGET);
    }

    /** The same, standing for further changes of its kind. */
    AuditEntry counted(UUID newId, Instant newAt) {
        return new AuditEntry(newId, newAt, actor, actorName, action, target, details, 1);
    }

    /** What the row takes of the organization's storage, in octets; a character is taken for one. */
    int size() {
        return ROW + length(target) + length(details) + length(actor.source().address());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    /** The JSON form for a caller (approvals.md §6): where people were is for owners, and for keys. */
    JsonObject json(Caller caller) {
        boolean isShown = actor.type() != AuditActor.Type.USER || caller.role().covers(Role.OWN);
        return JsonObject.of("entry_id", id)
                .with("actor", actorJson())
                .with("action", action)
                .with("target", target)
                .with("details", AuditDetails.shown(details, count))
                .with("address", isShown ? actor.source().address() : null)
                .with("request_id", actor.source().request())
                .with("created_at", at);
    }

    private JsonObject actorJson() {
        JsonObject json = JsonObject.of("type", actor.type().wireName());
        return switch (actor.type()) {
            case API_KEY -> json.with("api_key_id", actor.id()).with("name", actorName);
            case PAYER -> json.with("payer", actorName);
            case USER, OPERATOR -> json.with("session_id", actor.id()).with("name", actorName);
        };
    }
}
