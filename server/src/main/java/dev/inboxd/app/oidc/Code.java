package dev.inboxd.app.oidc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an authorization code stands for.
 *
 * @param key the key that approved
 * @param usedAt null before it is redeemed
 * @param tokenDigest the token that it gave
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Code(
        Client client,
        UUID organization,
        UUID inbox,
        UUID key,
        List<String> scopes,
        Instant approvedAt,
        Instant expiresAt,
        @Nullable Instant usedAt,
        byte @Nullable [] tokenDigest) {
    private static final Duration LIFE = Duration.ofSeconds(60);

    /** What the app must send again, and what it is told again. */
    record Client(
            UUID app,
            String redirectUri,
            @Nullable String codeChallenge,
            @Nullable String nonce) {}

    static Code of(Transaction transaction, Transaction.Binding binding, Instant now) {
        Transaction.AppRequest request = transaction.request();
        Instant approvedAt = binding.approvedAt();
        return new Code(
                new Client(
                        request.app(),
                        request.redirectUri(),
                        request.codeChallenge(),
                        request.echo().nonce()),
                binding.organization(),
                binding.inbox(),
                binding.key(),
                binding.granted(),
                approvedAt == null ? now : approvedAt,
                now.plus(LIFE),
                null,
                null);
    }
}
