package dev.inboxd.account.session;

import dev.inboxd.base.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * A session of a human in the console.
 *
 * @param user the user id of the human, the same in all sessions
 * @param humanEmail the address whose mailbox the human has proven to read
 * @param expiresAt when the human must sign in again, however often the token was renewed
 */
record Session(UUID id, UUID organization, UUID user, String humanEmail, Instant createdAt, Instant expiresAt) {
    /** After it the human signs in again. */
    private static final Duration LENGTH = Duration.ofHours(12);
    /** The length on a device that the human trusts (ruling 178). */
    private static final Duration DEVICE_LENGTH = Duration.ofDays(30);

    /** How long a session lasts. */
    static Duration length(boolean isDeviceTrusted) {
        return isDeviceTrusted ? DEVICE_LENGTH : LENGTH;
    }

    /** Whether it was opened on a device that its human trusts. */
    boolean isDeviceTrusted() {
        return Duration.between(createdAt, expiresAt).compareTo(LENGTH) > 0;
    }

    JsonObject json() {
        return JsonObject.of("session_id", id)
                .with("organization_id", organization)
                .with("user_id", user)
                .with("human_email", humanEmail)
                .with("session_expires_at", expiresAt)
                .with("created_at", createdAt);
    }
}
