package dev.inboxd.agent;

import dev.inboxd.vault.Vault;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * The code that a human reads to the agent: six digits, of which only a keyed digest is kept, because six digits are
 * too few for a plain one (contract: identity.md §6.2).
 *
 * @param digits the code itself; it goes into the letter and nowhere else
 * @param mac what is stored
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
record OneTimeCode(String digits, byte[] mac) {
    static final int DIGITS = 6;
    static final int ATTEMPTS = 10;
    static final Duration VALID = Duration.ofHours(24);

    private static final int CODES = 1_000_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A new code for an organization. */
    static OneTimeCode make(Vault vault, UUID organization) {
        String digits = String.format(Locale.ROOT, "%06d", RANDOM.nextInt(CODES));
        return new OneTimeCode(digits, mac(vault, organization, digits));
    }

    /** The digest of a code, bound to its organization. */
    static byte[] mac(Vault vault, UUID organization, String digits) {
        return vault.mac("one-time code", organization + " " + digits);
    }

    @Override
    public String toString() {
        return "OneTimeCode[***]";
    }

    /**
     * A code as it is kept.
     *
     * @param attempts how many wrong codes were tried
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    record Stored(byte[] mac, Instant expiresAt, int attempts) {
        boolean isExpired(Instant now) {
            return !expiresAt.isAfter(now);
        }

        boolean isUsedUp() {
            return attempts >= ATTEMPTS;
        }
    }
}
