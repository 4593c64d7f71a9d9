package dev.inboxd.tenant.inbox;

import dev.inboxd.mail.address.Author;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.json.RawJson;
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
 */
public record Inbox(
        UUID id,
        UUID pod,
        String address,
        @Nullable String displayName,
        @Nullable String clientId,
        @Nullable String metadata,
        Status status,
        Instant createdAt,
        Instant updatedAt) {

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
        return new Inbox(id, pod, address, displayName, clientId, metadata, status, createdAt, time);
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
                .with("updated_at", updatedAt)
                .with("created_at", createdAt);
    }
}
