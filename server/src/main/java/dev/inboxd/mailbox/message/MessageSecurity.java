package dev.inboxd.mailbox.message;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on a received message (security.md §3). It is advice.
 *
 * @param review whether somebody should look at the message before an agent does
 * @param reasons words for the reasons of a review, the most telling first
 * @param model the rules that judged
 * @param completedAt when the verdict was stored
 * @param hold whether the organization held mail when it was
 * @param override the release, or null
 */
public record MessageSecurity(
        boolean review,
        List<String> reasons,
        String model,
        Instant completedAt,
        boolean hold,
        @Nullable ManualOverride override) {
    private static final String REVIEW = "review";

    /** The column with the verdict of a message {@code m}; null for a message without one. */
    static final String COLUMN = "(select to_jsonb(y)::text from message_security y"
            + " where y.organization_id = {organization} and y.message_id = m.message_id) as security";

    public MessageSecurity {
        reasons = List.copyOf(reasons);
    }

    /**
     * What the screen makes of a message.
     *
     * @param hold whether the organization holds mail that should be looked at
     */
    public record Verdict(boolean review, List<String> reasons, String model, boolean hold) {
        public Verdict {
            reasons = List.copyOf(reasons);
        }

        /** Whether the message is held. */
        public boolean isHeld() {
            return hold && review;
        }

        public MessageSecurity at(Instant time) {
            return new MessageSecurity(review, reasons, model, time, hold, null);
        }
    }

    /**
     * The release of a held message.
     *
     * @param id the public id of the event that tells of it
     * @param actor who released it
     * @param reason the actor's own words
     */
    public record ManualOverride(String id, Actor actor, String reason, Instant createdAt) {
        /** The JSON form (security.md §4). */
        public JsonObject json() {
            return JsonObject.of("override_id", id)
                    .with("actor", actor.json())
                    .with("reason", reason)
                    .with("created_at", createdAt);
        }
    }

    /**
     * Who released a message.
     *
     * @param id an API key, or a user
     * @param isUser whether it was a user, in a session
     */
    public record Actor(UUID id, boolean isUser) {
        private JsonObject json() {
            return JsonObject.of("type", isUser ? "user" : "api_key").with(isUser ? "user_id" : "api_key_id", id);
        }
    }

    /** The verdict as its column has it. */
    public String verdict() {
        return review ? REVIEW : "clear";
    }

    /** The JSON form (security.md §3). */
    public JsonObject json() {
        return JsonObject.of("status", "complete")
                .with("verdict", verdict())
                .with("completed_at", completedAt)
                .with("model", model)
                .with("reasons", reasons.isEmpty() ? null : reasons)
                .with("manual_override", override == null ? null : override.json());
    }

    /** The verdict in {@link #COLUMN}, or null. */
    static @Nullable MessageSecurity read(@Nullable String column) {
        if (column == null || !(Json.stored(column) instanceof Map<?, ?> row)) {
            return null;
        }
        List<String> reasons = row.get("reasons") instanceof List<?> words
                ? words.stream().map(String::valueOf).toList()
                : List.of();
        return new MessageSecurity(
                REVIEW.equals(row.get("verdict")),
                reasons,
                text(row, "model"),
                time(row, "completed_at"),
                Boolean.TRUE.equals(row.get("hold")),
                row.get("override_id") == null ? null : override(row));
    }

    private static ManualOverride override(Map<?, ?> row) {
        return new ManualOverride(
                text(row, "override_id"),
                new Actor(UUID.fromString(text(row, "released_by")), Boolean.TRUE.equals(row.get("released_by_user"))),
                text(row, "release_reason"),
                time(row, "released_at"));
    }

    private static String text(Map<?, ?> row, String column) {
        return String.valueOf(row.get(column));
    }

    private static Instant time(Map<?, ?> row, String column) {
        return OffsetDateTime.parse(text(row, column)).toInstant();
    }
}
