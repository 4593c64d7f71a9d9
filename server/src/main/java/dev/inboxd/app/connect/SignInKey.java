package dev.inboxd.app.connect;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a sign-in key has beside its row among the keys.
 *
 * @param app where it was made to sign in
 * @param bearer the key that asked for it
 * @param jti the transaction that it was made for; null for a link
 * @param acceptsDisclosure whether its bearer accepted what the app is told
 * @param challenge what the maker of the public half must sign; null before somebody has begun
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SignInKey(
        UUID organization,
        UUID id,
        UUID inbox,
        UUID app,
        UUID bearer,
        @Nullable String jti,
        boolean acceptsDisclosure,
        @Nullable Challenge challenge,
        Instant createdAt) {
    /**
     * Who began to enrol, and with what.
     *
     * @param cookieDigest of the browser that began; null for one that waits at the sign-in page
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Challenge(byte[] bytes, byte @Nullable [] cookieDigest) {}
}
