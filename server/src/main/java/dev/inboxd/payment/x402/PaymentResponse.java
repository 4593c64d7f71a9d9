package dev.inboxd.payment.x402;

import dev.inboxd.base.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The header field {@value #HEADER}: how the settlement of a payment ended (payments.md §6.2, §8). */
public final class PaymentResponse {
    /** The header field. */
    public static final String HEADER = "PAYMENT-RESPONSE";

    private PaymentResponse() {}

    /**
     * The value of the field for a payment that was settled.
     *
     * @param transaction the id that the facilitator gave; empty when none is known
     * @param payer the account
     * @param amount what was asked for, in units of the asset
     */
    public static String settled(String transaction, String network, String payer, String amount) {
        return ExactChallenge.encoded(JsonObject.of("success", true)
                .with("transaction", transaction)
                .with("network", network)
                .with("payer", payer)
                .with("amount", amount));
    }

    /**
     * The value of the field for a payment that the facilitator did not settle.
     *
     * @param reason in snake_case
     * @param payer the account; null when it is not known
     */
    public static String refused(String reason, String network, @Nullable String payer) {
        return ExactChallenge.encoded(JsonObject.of("success", false)
                .with("errorReason", reason)
                .with("transaction", "")
                .with("network", network)
                .with("payer", payer));
    }
}
