package dev.inboxd.payment.facilitator;

import dev.inboxd.base.json.ExactJson;
import dev.inboxd.base.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a facilitator or a verifier is asked about one payment: always the same, whether it is to verify or to settle,
 * for the first time or again. It has the payer's signature, so it is kept sealed and never logged.
 *
 * @param paymentId of the payment
 * @param key names the payment for a verifier ({@code Idempotency-Key}); empty for a facilitator
 * @param body members of the request, as values of JSON in their order
 */
public record PaymentQuestion(String paymentId, String key, Map<String, @Nullable Object> body) {
    /** The version of x402 that is spoken. */
    public static final long X402_VERSION = 2;

    private static final String PAYLOAD = "paymentPayload";

    public PaymentQuestion {
        body = Collections.unmodifiableMap(new LinkedHashMap<>(body));
    }

    /**
     * A question to a facilitator (x402 v2, POST /verify and /settle).
     *
     * @param paymentPayload the payer's header, decoded, as it was sent
     * @param paymentRequirements the offer, as {@link dev.inboxd.payment.offer.ExactOffer#accepted} makes it
     */
    public static PaymentQuestion exact(String paymentId, Map<?, ?> paymentPayload, Map<?, ?> paymentRequirements) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("x402Version", X402_VERSION);
        body.put(PAYLOAD, paymentPayload);
        body.put("paymentRequirements", paymentRequirements);
        return new PaymentQuestion(paymentId, "", body);
    }

    /**
     * A question to a facilitator about an MPP payment, which it reads as one of x402.
     *
     * @param payload the signature and the authorization, as {@code payload} of x402's scheme {@code exact}
     * @param paymentRequirements the offer of {@link dev.inboxd.payment.offer.ChargeMethod#asExact}
     */
    public static PaymentQuestion exactOfCharge(String paymentId, Map<?, ?> payload, Map<?, ?> paymentRequirements) {
        Map<String, @Nullable Object> paymentPayload = new LinkedHashMap<>();
        paymentPayload.put("x402Version", X402_VERSION);
        paymentPayload.put("accepted", paymentRequirements);
        paymentPayload.put("payload", payload);
        return exact(paymentId, paymentPayload, paymentRequirements);
    }

    /**
     * A question to the verifier of an MPP method.
     *
     * @param challengeId names the payment
     * @param credential what the payer sent: its challenge, payload and, where there is one, source, in that order
     * @param amount what is to be paid, in the smallest units
     */
    public static PaymentQuestion charge(String paymentId, String challengeId, Map<?, ?> credential, String amount) {
        Map<String, @Nullable Object> body = named(credential);
        body.put("amount", amount);
        return new PaymentQuestion(paymentId, challengeId, body);
    }

    /**
     * A question that was kept as {@link #text}.
     *
     * @throws IllegalStateException when the text is none
     */
    public static PaymentQuestion stored(String paymentId, String key, String text) {
        if (!(Json.stored(text) instanceof Map<?, ?> object)) {
            throw new IllegalStateException("the question of payment " + paymentId + " is no object");
        }
        return new PaymentQuestion(paymentId, key, named(object));
    }

    private static Map<String, @Nullable Object> named(Map<?, ?> object) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        object.forEach((name, value) -> members.put(String.valueOf(name), value));
        return members;
    }

    /** The body as JSON, to be kept sealed. */
    public String text() {
        return new String(json(body), StandardCharsets.UTF_8);
    }

    /** A body as JSON, with the payer's own values as they were sent. */
    static byte[] json(Map<String, @Nullable Object> body) {
        return Json.write(new ExactJson(body));
    }

    /** The {@code from} of an authorization of x402's scheme {@code exact}; null without one. */
    @Nullable
    String from() {
        Map<?, ?> payload = object(object(body, PAYLOAD), "payload");
        for (String name : new String[] {"authorization", "permit2Authorization"}) {
            if (object(payload, name).get("from") instanceof String from) {
                return from;
            }
        }
        return null;
    }

    private static Map<?, ?> object(Map<?, ?> of, String name) {
        return of.get(name) instanceof Map<?, ?> object ? object : Map.of();
    }

    /** The payment alone: the rest is the payer's. */
    @Override
    public String toString() {
        return "PaymentQuestion[" + paymentId + "]";
    }
}
