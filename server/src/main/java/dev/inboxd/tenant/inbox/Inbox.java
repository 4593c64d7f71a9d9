package dev.inboxd.tenant.inbox;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.mail.address.Author;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An inbox.
 *
 * @param id its internal id, never shown
 * @param address its public id, in lower case
 * @param metadata the client's own members as JSON text, or null when there are none
 * @param sending what holds its mail back
 */
public record Inbox(
        UUID id,
        UUID pod,
        String address,
        @Nullable String displayName,
        @Nullable String clientId,
        @Nullable String metadata,
        Status status,
        Sending sending,
        Instant createdAt,
        Instant updatedAt) {

    /**
     * What holds the mail of an inbox back.
     *
     * @param needsApproval whether nothing leaves it without approval (approvals.md §1)
     * @param isPaused whether sending alone is paused (mail.md §5.5)
     * @param repliesOnce whether a message gets one answer (mail.md §18.3)
     * @param stoppedAt since when nothing leaves its organization or its pod (approvals.md §5), or null
     */
    public record Sending(
            boolean needsApproval,
            boolean isPaused,
            boolean repliesOnce,
            @Nullable Instant stoppedAt) {
        /** Mail leaves. */
        public static final Sending FREE = new Sending(false, false, false, null);
    }

    /** Whether an inbox receives and sends mail (mail.md §5.5). */
    public enum Status {
        /** Mail is received and sent. */
        ACTIVE,
        /** Received mail is dropped, and sending is refused. */
        PAUSED;

        /** The word on the wire and in the row. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The part of the address after the {@code @}. */
    public String domain() {
        return address.substring(address.indexOf('@') + 1);
    }

    /** Whether received mail is dropped and sending is refused. */
    public boolean isPaused() {
        return status == Status.PAUSED;
    }

    /** Whether sign-ins are refused: a paused inbox, and one whose sending was stopped, act for nobody. */
    public boolean isIdle() {
        return isPaused() || sending.stoppedAt != null;
    }

    /** Whether nothing leaves it because somebody paused it, or its sending alone. */
    public boolean isSendingPaused() {
        return isPaused() || sending.isPaused;
    }

    /** Whether what is due waits for the end of a stop; what a pause holds back does not wait. */
    public boolean isHeldByStop() {
        return sending.stoppedAt != null && !isSendingPaused();
    }

    /**
     * Refuses to send for an inbox that is paused, whose sending is paused, or that is stopped.
     *
     * @throws Problem {@code inbox_paused}, whose fix says what lets it send again
     */
    public void requireSending() {
        requireActive();
        if (sending.isPaused) {
            throw Problem.of(
                    ErrorCode.INBOX_PAUSED,
                    "The sending of the inbox is paused",
                    "Resume it: PATCH the inbox with sending \"active\", using a key that holds inbox_update.");
        }
    }

    /**
     * Refuses to act for an inbox that is paused or stopped.
     *
     * @throws Problem {@code inbox_paused}, whose fix names a stop
     */
    public void requireActive() {
        if (isPaused()) {
            throw Problem.of(ErrorCode.INBOX_PAUSED, "The inbox is paused");
        }
        if (sending.stoppedAt != null) {
            throw Problem.of(
                    ErrorCode.INBOX_PAUSED,
                    "Sending is stopped",
                    "Everything that leaves was stopped at " + Timestamps.format(sending.stoppedAt)
                            + ". A person lets it go on: POST /v0/organizations/resume, or"
                            + " POST /v0/pods/{pod_id}/resume for a pod.");
        }
    }

    /**
     * Checks the display name of an inbox with that address, and returns it.
     *
     * @throws Problem {@code validation_error} for a name that looks like the address of somebody else
     */
    static @Nullable String checkedName(@Nullable String displayName, String address) {
        if (displayName != null && Author.namesAnother(displayName, address)) {
            throw Problem.invalid("display_name", "display_name must not be the address of somebody else");
        }
        return displayName;
    }

    /** This inbox, changed at that time. */
    Inbox updatedAt(Instant time) {
        return new Inbox(id, pod, address, displayName, clientId, metadata, status, sending, createdAt, time);
    }

    /** The JSON form (mail.md §4.1). */
    public JsonObject json() {
        return JsonObject.of("pod_id", pod)
                .with("inbox_id", address)
                .with("email", address)
                .with("display_name", displayName)
                .with("client_id", clientId)
                .with("metadata", metadata == null ? null : new RawJson(metadata))
                .with("status", status.wireName())
                .with("sending", sending.isPaused ? Status.PAUSED.wireName() : Status.ACTIVE.wireName())
                .with("send_approval", sending.needsApproval ? "required" : null)
                .with("reply_once", sending.repliesOnce ? true : null)
                .with("updated_at", updatedAt)
                .with("created_at", createdAt);
    }
}
