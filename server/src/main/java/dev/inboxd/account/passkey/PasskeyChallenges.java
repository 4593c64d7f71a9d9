package dev.inboxd.account.passkey;

import dev.inboxd.base.vault.Vault;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Challenges (WebAuthn §13.4.3) that this server knows again, so that nothing is stored for those who open a page. A
 * challenge says when it was made: a passkey takes one alone, and none that is older than the one before.
 */
final class PasskeyChallenges {
    private static final Duration VALID = Duration.ofHours(1);
    private static final int NONCE = 16;
    private static final int MAC = 16;

    private final Vault vault;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    PasskeyChallenges(Vault vault, InstantSource clock) {
        this.vault = vault;
        this.clock = clock;
    }

    /**
     * A challenge.
     *
     * @param purpose what the answer is good for, and for whom
     */
    byte[] make(String purpose) {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        byte[] content = ByteBuffer.allocate(Long.BYTES + NONCE)
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()))
                .put(nonce)
                .array();
        return ByteBuffer.allocate(content.length + MAC)
                .put(content)
                .put(mac(purpose, content))
                .array();
    }

    /** When a challenge of this purpose was made; empty for one that is over, or none of ours. */
    Optional<Instant> madeAt(String purpose, byte[] challenge) {
        if (challenge.length != Long.BYTES + NONCE + MAC) {
            return Optional.empty();
        }
        byte[] content = Arrays.copyOf(challenge, Long.BYTES + NONCE);
        byte[] mac = Arrays.copyOfRange(challenge, content.length, challenge.length);
        if (!MessageDigest.isEqual(mac, mac(purpose, content))) {
            return Optional.empty();
        }
        Instant createdAt = Instant.EPOCH.plus(ByteBuffer.wrap(content).getLong(), ChronoUnit.MICROS);
        return clock.instant().isBefore(createdAt.plus(VALID)) ? Optional.of(createdAt) : Optional.empty();
    }

    private byte[] mac(String purpose, byte[] content) {
        String text = Base64.getUrlEncoder().encodeToString(content) + " " + purpose;
        return Arrays.copyOf(vault.mac("passkey challenge", text), MAC);
    }
}
