package dev.inboxd.payment.x402;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.CanonicalJson;
import dev.inboxd.payment.authorization.EvmAuthorization;
import dev.inboxd.payment.authorization.ExactTransfer;
import dev.inboxd.payment.authorization.PaymentAuthorization;
import dev.inboxd.payment.authorization.PaymentAuthorization.SignedPayload;
import dev.inboxd.payment.authorization.PaymentFormException;
import dev.inboxd.payment.authorization.PaymentMembers;
import dev.inboxd.payment.authorization.PaymentVariant;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A payment as the header {@value #HEADER} brings it (payments.md §6.2, checks 2 to 4). Its text form has nothing of
 * what was signed.
 *
 * @param paymentPayload the object as it was sent, for the facilitator: {@code paymentPayload} of its API
 * @param accepted the offer that it is for, as the payer repeats it
 * @param url the address of the resource that it is for; null where the payer left it out
 * @param authorization what was signed
 */
public record ExactPayment(
        Map<String, Object> paymentPayload,
        Map<String, Object> accepted,
        @Nullable String url,
        PaymentAuthorization authorization) {
    /** The header field; a WebSocket has a query parameter of the same name. */
    public static final String HEADER = "PAYMENT-SIGNATURE";

    static final long VERSION = 2;

    /**
     * Reads the field.
     *
     * @param values every value of the field, or of the query parameter, in the request
     * @throws Problem {@code validation_error} with the path {@code headers}, {@code payment-signature}
     */
    public static ExactPayment read(List<String> values) {
        try {
            if (values.size() != 1) {
                throw new PaymentFormException("must be there once");
            }
            return read(PaymentMembers.decode(values.getFirst(), Base64.getDecoder()));
        } catch (PaymentFormException malformed) {
            throw Problem.invalid(List.of(
                    new Fault(List.of("headers", "payment-signature"), "PAYMENT-SIGNATURE " + malformed.message())));
        }
    }

    private static ExactPayment read(PaymentMembers root) throws PaymentFormException {
        if (!(root.all().get("x402Version") instanceof Number version) || version.doubleValue() != VERSION) {
            throw root.fault("x402Version", "must be " + VERSION);
        }
        PaymentMembers resource = root.optionalObject("resource");
        root.optionalObject("extensions");
        PaymentMembers accepted = root.object("accepted");
        accepted.text("scheme");
        ExactTransfer transfer = new ExactTransfer(
                accepted.text("network"), accepted.text("asset"), accepted.text("amount"), accepted.text("payTo"));
        if (!(accepted.all().get("maxTimeoutSeconds") instanceof Number)) {
            throw accepted.fault("maxTimeoutSeconds", "must be a number");
        }
        accepted.optionalObject("extra");
        PaymentMembers payload = root.object("payload");
        EvmAuthorization evm = transfer.isEvm() ? EvmAuthorization.read(payload) : null;
        SignedPayload signed = new SignedPayload(payload.all(), evm, null, List.of());
        return new ExactPayment(
                root.all(),
                accepted.all(),
                resource == null ? null : resource.optionalText("url"),
                PaymentAuthorization.of(PaymentVariant.X402, "exact", transfer, signed));
    }

    /**
     * The offer that it is for.
     *
     * @param offers those of the route as they are now, in their wire form
     * @return the one that {@code accepted} equals by value, whatever the order of the members; null when there is none
     */
    public @Nullable Map<String, Object> offer(List<Map<String, Object>> offers) {
        String mine = CanonicalJson.text(accepted);
        return offers.stream()
                .filter(offer -> CanonicalJson.text(offer).equals(mine))
                .findFirst()
                .orElse(null);
    }

    /**
     * Why it cannot pay for a call, without asking anybody (payments.md §6.2, checks 3 and 4).
     *
     * @param challenge what the call wants now
     * @return the reason in snake_case; null when there is none
     */
    public @Nullable String refusal(ExactChallenge challenge, Instant now) {
        if (offer(challenge.accepts()) == null) {
            return "no_matching_offer";
        }
        if (url != null && !url.equals(challenge.url())) {
            return "resource_mismatch";
        }
        EvmAuthorization evm = authorization.evm();
        return evm == null ? null : evm.refusal(authorization.transfer(), now);
    }

    @Override
    public String toString() {
        return "ExactPayment[" + authorization + "]";
    }
}
