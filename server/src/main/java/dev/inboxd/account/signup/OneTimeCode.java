package dev.inboxd.account.signup;

import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.vault.Vault;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * A one-time code that a human gets by mail: six digits. Only a keyed digest is stored, because a plain digest of six
 * digits could be reversed (identity.md §6.2).
 *
 * @param digits the code itself, which only the mail contains
 * @param mac the stored digest
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
public record OneTimeCode(String digits, byte[] mac) {
    /** The largest number of wrong attempts. */
    public static final int ATTEMPTS = 10;

    private static final int DIGITS = 6;
    private static final int CODES = 1_000_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The purpose of a code; a code of one purpose is not accepted for another. */
    public enum Purpose {
        /** Verifies an agent's organization. */
        VERIFICATION("one-time code", Duration.ofHours(24)),
        /** Opens a session. */
        SIGN_IN("sign-in code", Duration.ofMinutes(10));

        private final String purpose;
        private final Duration valid;

        Purpose(String purpose, Duration valid) {
            this.purpose = purpose;
            this.valid = valid;
        }

        /** How long a code is valid. */
        public Duration valid() {
            return valid;
        }
    }

    /** Creates a code for an organization. */
    public static OneTimeCode make(Vault vault, Purpose use, UUID organization) {
        String digits = String.format(Locale.ROOT, "%06d", RANDOM.nextInt(CODES));
        return new OneTimeCode(digits, mac(vault, use, organization, digits));
    }

    /** The digest of a code, bound to its purpose and its organization. */
    public static byte[] mac(Vault vault, Purpose use, UUID organization, String digits) {
        return vault.mac(use.purpose, organization + " " + digits);
    }

    /**
     * Reads the digits in a request; blanks around them are ignored.
     *
     * @throws dev.inboxd.base.error.Problem {@code validation_error}, which does not count as an attempt
     */
    public static String read(JsonBody body, String member) {
        String text = body.string(member).min(1).required();
        String digits = text.strip();
        if (!text.isEmpty() && !(digits.length() == DIGITS && digits.chars().allMatch(c -> c >= '0' && c <= '9'))) {
            body.fault(member, member + " must be " + DIGITS + " digits");
        }
        body.check();
        return digits;
    }

    @Override
    public String toString() {
        return "OneTimeCode[***]";
    }

    /**
     * A stored code.
     *
     * @param attempts number of wrong attempts
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    public record StoredCode(byte[] mac, Instant expiresAt, int attempts) {
        /** Whether its time is over. */
        public boolean isExpired(Instant now) {
            return !expiresAt.isAfter(now);
        }

        /** Whether all attempts are used, so that even the right code is refused: six digits are guessed quickly. */
        public boolean isUsedUp() {
            return attempts >= ATTEMPTS;
        }

        /** Whether a digest is that of the code; compared in constant time. */
        public boolean isOf(byte[] digest) {
            return MessageDigest.isEqual(mac, digest);
        }
    }
}
