package dev.inboxd.account.session;

import dev.inboxd.platform.json.JsonObject;
import java.time.Instant;
import java.util.UUID;

/**
 * A human who signed in.
 *
 * @param user the human's own id, the same in all sessions
 * @param humanEmail the address whose mailbox the human has shown to read
 * @param expiresAt when the human must sign in again, however often the token was renewed
 */
record Session(UUID id, UUID organization, UUID user, String humanEmail, Instant createdAt, Instant expiresAt) {
    JsonObject json() {
        return JsonObject.of("session_id", id)
                .with("organization_id", organization)
                .with("user_id", user)
                .with("human_email", humanEmail)
                .with("session_expires_at", expiresAt)
                .with("created_at", createdAt);
    }
}
