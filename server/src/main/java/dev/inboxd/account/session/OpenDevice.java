package dev.inboxd.account.session;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A device on which a person is signed in.
 *
 * @param session its id
 * @param humanEmail who signed in
 */
public record OpenDevice(UUID session, String humanEmail, SessionOrigin origin, Times times) {
    /**
     * When it was opened, ends, and was last used.
     *
     * @param lastUsed by ten minutes; null: not since it was opened
     */
    public record Times(
            Instant opened, Instant ends, @Nullable Instant lastUsed) {}
}
