package dev.inboxd.sandbox.fault;

import dev.inboxd.base.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fault that somebody asked for.
 *
 * @param left how often it is still met; null for what lasts
 * @param endsAt when it ends by the real time; null for what is counted
 */
record WorldFault(
        UUID organization,
        UUID id,
        FaultTerms terms,
        @Nullable Integer left,
        @Nullable Instant endsAt,
        Instant createdAt) {
    /** Whether it has ended by its time. */
    boolean isOver(Instant real) {
        return endsAt != null && !endsAt.isAfter(real);
    }

    /** As it is at a real time: of what lasts, the seconds that are left are told. */
    JsonObject json(Instant real) {
        return JsonObject.of("fault_id", id)
                .withAll(terms.json())
                .with("left", endsAt == null ? left : secondsUntil(endsAt, real))
                .with("created_at", createdAt);
    }

    private static Object secondsUntil(Instant end, Instant real) {
        return Math.max(1, Duration.between(real, end).plusMillis(999).toSeconds());
    }
}
