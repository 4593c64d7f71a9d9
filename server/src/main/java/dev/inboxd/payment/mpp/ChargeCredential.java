package dev.inboxd.payment.mpp;

import dev.inboxd.payment.authorization.PaymentFormException;
import dev.inboxd.payment.authorization.PaymentMembers;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a challenge, as {@code Authorization: Payment} brings it (payments.md §10, check 2). Its text form
 * has nothing of what was sent.
 *
 * @param challenge the parameters as the payer echoes them; ours only when {@link ChargeCheck} says so
 * @param payload what the method asks for, such as a signature
 * @param source the payer as claimed, a DID; null without one
 */
public record ChargeCredential(
        ChargeChallenge challenge,
        Map<String, Object> payload,
        @Nullable String source) {
    /** The header field; a WebSocket has a query parameter of the same name. */
    public static final String HEADER = "Authorization";

    private static final List<String> SIGNED = List.of("from", "to", "value", "validAfter", "validBefore", "nonce");

    /**
     * Reads the field.
     *
     * @param values every value of the field, or of the query parameter, in the request
     * @throws ChargeException {@link ProblemType#MALFORMED_CREDENTIAL}
     */
    public static ChargeCredential read(List<String> values) throws ChargeException {
        try {
            if (values.size() != 1) {
                throw new PaymentFormException("must be there once");
            }
            return read(PaymentMembers.decode(encoded(values.getFirst()), Base64.getUrlDecoder()));
        } catch (PaymentFormException malformed) {
            throw new ChargeException(
                    ProblemType.MALFORMED_CREDENTIAL, "Authorization: Payment " + malformed.message() + ".");
        }
    }

    /** Whether the value of a field {@code Authorization} is of this scheme, in either case (RFC 9110 §11.1). */
    public static boolean isOne(String value) {
        int length = ChargeChallenge.SCHEME.length();
        return value.regionMatches(true, 0, ChargeChallenge.SCHEME, 0, length)
                && (value.length() == length || value.charAt(length) == ' ');
    }

    /**
     * The payload of method {@code evm} in the form of x402, scheme {@code exact}, for a facilitator (payments.md
     * §10).
     */
    public Map<String, Object> exactPayload() {
        Map<String, Object> authorization = new LinkedHashMap<>();
        SIGNED.forEach(name -> {
            Object member = payload.get(name);
            if (member != null) {
                authorization.put(name, member);
            }
        });
        Map<String, Object> exact = new LinkedHashMap<>();
        Object signature = payload.get("signature");
        exact.put("signature", signature == null ? "" : signature);
        exact.put("authorization", authorization);
        return exact;
    }

    private static String encoded(String value) throws PaymentFormException {
        if (!isOne(value)) {
            throw new PaymentFormException("must be of the scheme Payment");
        }
        return value.substring(ChargeChallenge.SCHEME.length()).strip();
    }

    private static ChargeCredential read(PaymentMembers root) throws PaymentFormException {
        PaymentMembers echo = root.object("challenge");
        ChargeChallenge challenge = new ChargeChallenge(
                echo.text("id"),
                echo.text("realm"),
                echo.text("method"),
                echo.text("intent"),
                echo.text("request"),
                echo.optionalText("expires"),
                echo.optionalText("digest"),
                echo.optionalText("opaque"));
        return new ChargeCredential(challenge, root.object("payload").all(), root.optionalText("source"));
    }

    @Override
    public String toString() {
        return "ChargeCredential[" + challenge.method() + "]";
    }
}
