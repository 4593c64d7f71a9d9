package dev.inboxd.account.oauth;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * That a person let a program in: a code first, and the key that it gave afterwards.
 *
 * @param binding what the client must send again
 * @param session of the person; null for the operator at an open console
 * @param choice what the person chose
 * @param codeExpiresAt until when the code can be redeemed
 * @param isUsed whether it was
 * @param key the key that it gave, or null
 */
record OAuthGrant(
        UUID organization,
        Binding binding,
        @Nullable UUID session,
        Choice choice,
        Instant codeExpiresAt,
        boolean isUsed,
        @Nullable UUID key) {

    /**
     * To whom a code belongs.
     *
     * @param client SHA-256 of the client_id
     * @param name as the person saw it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    record Binding(byte[] client, String name, String redirectUri, String challenge) {}

    /** A key and when it ends. */
    record KeyEnd(UUID key, Instant end) {}

    /**
     * How far the program is let in.
     *
     * @param inbox the one inbox; null for the whole organization
     */
    public record Choice(@Nullable String inbox, OAuthAccess access) {}
}
