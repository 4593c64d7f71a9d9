package dev.inboxd.account.signup;

import dev.inboxd.platform.json.JsonBody;
import dev.inboxd.platform.vault.Vault;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * A code that a human gets by mail: six digits, of which only a keyed digest is kept, because six digits are too few
 * for a plain one (identity.md §6.2).
 *
 * @param digits the code itself; it goes into the letter and nowhere else
 * @param mac what is stored
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
public record OneTimeCode(String digits, byte[] mac) {
    /** How many wrong codes may be tried. */
    public static final int ATTEMPTS = 10;

    private static final int DIGITS = 6;
    private static final int CODES = 1_000_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** What a code is for; one is never taken for another. */
    public enum Purpose {
        /** Confirms an agent. */
        VERIFICATION("one-time code", Duration.ofHours(24)),
        /** Opens a session. */
        SIGN_IN("sign-in code", Duration.ofMinutes(10));

        private final String purpose;
        private final Duration valid;

        Purpose(String purpose, Duration valid) {
            this.purpose = purpose;
            this.valid = valid;
        }

        /** How long a code can be used. */
        public Duration valid() {
            return valid;
        }
    }

    /** A new code for an organization. */
    public static OneTimeCode make(Vault vault, Purpose use, UUID organization) {
        String digits = String.format(Locale.ROOT, "%06d", RANDOM.nextInt(CODES));
        return new OneTimeCode(digits, mac(vault, use, organization, digits));
    }

    /** The digest of a code, bound to its use and its organization. */
    public static byte[] mac(Vault vault, Purpose use, UUID organization, String digits) {
        return vault.mac(use.purpose, organization + " " + digits);
    }

    /**
     * Reads the digits of a request; blanks around them do not matter.
     *
     * @throws dev.inboxd.platform.error.Problem {@code validation_error}, which counts as no attempt
     */
    public static String read(JsonBody body, String member) {
        String given = body.string(member).min(1).required();
        String digits = given.strip();
        if (!given.isEmpty() && !(digits.length() == DIGITS && digits.chars().allMatch(c -> c >= '0' && c <= '9'))) {
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
     * A code as it is kept.
     *
     * @param attempts how many wrong codes were tried
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    public record StoredCode(byte[] mac, Instant expiresAt, int attempts) {
        /** Whether its time is over. */
        public boolean isExpired(Instant now) {
            return !expiresAt.isAfter(now);
        }

        /** Whether not even the right code is taken any more: six digits bear few guesses. */
        public boolean isUsedUp() {
            return attempts >= ATTEMPTS;
        }

        /** Whether that is the digest of the right code; takes the same time in either case. */
        public boolean isOf(byte[] other) {
            return MessageDigest.isEqual(mac, other);
        }
    }
}
