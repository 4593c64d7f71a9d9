package dev.inboxd.mailbox.claim;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A claim of a thread: its holder answers, nobody else, until then.
 *
 * @param id a secret: whoever shows it, with a key that may answer there, holds the claim
 * @param isHeld whether it has not ended before its time
 */
public record ThreadClaim(String id, Place place, Holder holder, boolean isHeld, Instant createdAt, Instant expiresAt) {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    /**
     * What is claimed.
     *
     * @param inboxName the public id of the inbox
     * @param message the public id of the message that was named, or null
     */
    public record Place(
            UUID inbox,
            String inboxName,
            UUID thread,
            @Nullable String message) {}

    /** What a holder is. */
    public enum Kind {
        KEY,
        SESSION,
        /** An account that pays for each call. */
        ACCOUNT;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind ofWire(String wire) {
            return valueOf(wire.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * Who holds a claim.
     *
     * @param worker what it calls itself, or null
     * @param id the key or the session
     * @param isBound whether no other key may use the claim
     */
    public record Holder(@Nullable String worker, UUID id, Kind kind, boolean isBound) {
        static Holder of(Caller caller, @Nullable String worker) {
            Kind kind = caller.apiKeyId() != null ? Kind.KEY : caller.payer() != null ? Kind.ACCOUNT : Kind.SESSION;
            return new Holder(worker, caller.credential().id(), kind, false);
        }

        boolean isSame(Holder holder) {
            return id.equals(holder.id) && Objects.equals(worker, holder.worker);
        }

        /** Whether a claim of this holder is of any use with that key. */
        boolean lets(UUID credential) {
            return !isBound || id.equals(credential);
        }

        @Nullable
        UUID key() {
            return kind == Kind.KEY ? id : null;
        }
    }

    /** Whether it binds at that time of the organization. */
    boolean isLive(Instant now) {
        return isHeld && expiresAt.isAfter(now);
    }

    /** The claim as its holder sees it. */
    public JsonObject json() {
        return JsonObject.of("claim_id", id).withAll(shown());
    }

    /** The claim as others see it. */
    public JsonObject shown() {
        return JsonObject.of("inbox_id", place.inboxName)
                .with("thread_id", place.thread)
                .with("message_id", place.message)
                .with("worker", holder.worker)
                .with("api_key_id", holder.key())
                .with("session", holder.kind == Kind.SESSION ? true : null)
                .with("created_at", createdAt)
                .with("expires_at", expiresAt);
    }

    /** The refusal for whoever does not hold it. */
    Problem heldByAnother(Instant now) {
        Duration left = Duration.between(now, expiresAt);
        return Problem.of(
                        ErrorCode.CONFLICT,
                        Objects.requireNonNullElse(holder.worker, "Another worker") + " is answering this until "
                                + Timestamps.format(expiresAt),
                        "Leave it to that worker, or wait until the claim has ended. Whoever holds inbox_update may"
                                + " take it over: claim the thread with force.")
                .with(
                        "claim",
                        JsonObject.of("worker", holder.worker)
                                .with("expires_at", expiresAt)
                                .with("message_id", place.message))
                .retryAfter(left.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : left);
    }

    /** The refusal for a claim that is over. */
    static Problem over() {
        return Problem.of(
                ErrorCode.CONFLICT,
                "The claim has ended",
                "Claim the thread again. Another worker may have answered meanwhile: read the thread first.");
    }
}
