package dev.inboxd.payment.mpp;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.Base64;

/** The header field {@value #HEADER} of a call that succeeded (payments.md §10). */
public final class PaymentReceipt {
    /** The header field. */
    public static final String HEADER = "Payment-Receipt";

    private PaymentReceipt() {}

    /**
     * The value of the field.
     *
     * @param method the payment method
     * @param at when it was settled, or a proof was verified
     * @param reference the transaction; of a proof, or where none is known, the id of the challenge
     */
    public static String header(String method, Instant at, String reference) {
        byte[] receipt = Json.write(JsonObject.of("status", "success")
                .with("method", method)
                .with("timestamp", at)
                .with("reference", reference));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(receipt);
    }
}
