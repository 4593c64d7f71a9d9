package dev.inboxd.payment.authorization;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the holder of an account of {@code eip155} signed: a transfer by EIP-3009, or one by Permit2. The signature is
 * not looked at.
 *
 * @param from the payer, in lower case
 * @param nonce what the token's contract, or Permit2, takes once from this payer, in its only spelling
 * @param to the receiver, in lower case
 * @param token the address of the asset, in lower case; null where the transfer does not name it
 * @param value units of the asset
 * @param validAfter seconds since 1970 from which on it holds
 * @param validBefore seconds since 1970 until which it holds
 */
public record EvmAuthorization(
        String from,
        String nonce,
        String to,
        @Nullable String token,
        BigInteger value,
        BigInteger validAfter,
        BigInteger validBefore) {
    /** Facilitators exist that do not compare; a payment has to live long enough to be settled (payments.md §6.2). */
    private static final long LEFT = 5;

    private static final int LONGEST = 78; // digits of 2^256
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /**
     * Reads the payload of a payment of scheme {@code exact}: {@code authorization} (EIP-3009) or {@code
     * permit2Authorization}, beside a {@code signature}.
     *
     * @return null when it has neither: only its facilitator knows it
     * @throws PaymentFormException for both, since readers differ in which they take, and for members of another form
     */
    public static @Nullable EvmAuthorization read(PaymentMembers payload) throws PaymentFormException {
        PaymentMembers transfer = payload.optionalObject("authorization");
        PaymentMembers permit = payload.optionalObject("permit2Authorization");
        if (transfer != null && permit != null) {
            throw payload.fault("authorization", "and permit2Authorization must not both be there");
        }
        if (transfer != null) {
            payload.text("signature");
            return transfer(transfer);
        }
        if (permit != null) {
            payload.text("signature");
            return permit(permit);
        }
        return null;
    }

    /**
     * Reads an authorization by EIP-3009.
     *
     * @param members with {@code from}, {@code to}, {@code value}, {@code validAfter}, {@code validBefore} and {@code
     *     nonce}
     */
    public static EvmAuthorization transfer(PaymentMembers members) throws PaymentFormException {
        return new EvmAuthorization(
                address(members, "from"),
                hexadecimal(members, "nonce", 64, "a nonce of 32 bytes: 0x and 64 hexadecimal digits"),
                address(members, "to"),
                null,
                number(members, "value"),
                number(members, "validAfter"),
                number(members, "validBefore"));
    }

    private static EvmAuthorization permit(PaymentMembers members) throws PaymentFormException {
        PaymentMembers permitted = members.object("permitted");
        PaymentMembers witness = members.object("witness");
        return new EvmAuthorization(
                address(members, "from"),
                number(members, "nonce").toString(),
                address(witness, "to"),
                address(permitted, "token"),
                number(permitted, "amount"),
                number(witness, "validAfter"),
                number(members, "deadline"));
    }

    /**
     * Why it is no payment for a transfer now, without looking at the signature.
     *
     * @return the reason, a word of the x402 specification (version 2, §9) or of its facilitators; null when nothing is
     *     wrong
     */
    public @Nullable String refusal(ExactTransfer expected, Instant now) {
        BigInteger second = BigInteger.valueOf(now.getEpochSecond());
        boolean isPermit = token != null;
        if (!to.equals(expected.payTo().toLowerCase(Locale.ROOT))) {
            return isPermit ? "invalid_permit2_recipient_mismatch" : "invalid_exact_evm_payload_recipient_mismatch";
        }
        if (isPermit && !expected.asset().toLowerCase(Locale.ROOT).equals(token)) {
            return "permit2_token_mismatch";
        }
        if (validBefore.subtract(BigInteger.valueOf(LEFT)).compareTo(second) <= 0) {
            return isPermit ? "permit2_deadline_expired" : "invalid_exact_evm_payload_authorization_valid_before";
        }
        if (validAfter.compareTo(second) > 0) {
            return isPermit ? "permit2_not_yet_valid" : "invalid_exact_evm_payload_authorization_valid_after";
        }
        if (!value.toString().equals(expected.amount())) {
            return isPermit ? "permit2_amount_mismatch" : "invalid_exact_evm_payload_authorization_value_mismatch";
        }
        return null;
    }

    /** The end of its validity; of one beyond the year 9999 the end of that year. */
    public Instant end() {
        return validBefore.compareTo(BigInteger.valueOf(LATEST.getEpochSecond())) > 0
                ? LATEST
                : Instant.ofEpochSecond(validBefore.longValueExact());
    }

    /** Whether a text is an address of {@code eip155}: 0x and 40 hexadecimal digits. */
    public static boolean isAddress(String text) {
        return isHexadecimal(text, 40);
    }

    private static String address(PaymentMembers members, String name) throws PaymentFormException {
        return hexadecimal(members, name, 40, "an address: 0x and 40 hexadecimal digits");
    }

    private static String hexadecimal(PaymentMembers members, String name, int digits, String expected)
            throws PaymentFormException {
        String text = members.text(name);
        if (!isHexadecimal(text, digits)) {
            throw members.fault(name, "must be " + expected);
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private static boolean isHexadecimal(String text, int digits) {
        return text.length() == digits + 2
                && text.startsWith("0x")
                && text.chars().skip(2).allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0);
    }

    /** A number in its only spelling: two readers must not see two numbers, or one nonce count as two. */
    private static BigInteger number(PaymentMembers members, String name) throws PaymentFormException {
        String text = members.text(name);
        boolean isNumber = !text.isEmpty()
                && text.length() <= LONGEST
                && text.chars().allMatch(c -> c >= '0' && c <= '9')
                && (text.length() == 1 || text.charAt(0) != '0');
        if (!isNumber) {
            throw members.fault(name, "must be a whole number, as a string of digits");
        }
        return new BigInteger(text);
    }
}
