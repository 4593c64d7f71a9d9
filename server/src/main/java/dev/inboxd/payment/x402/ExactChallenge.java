package dev.inboxd.payment.x402;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request without a payment, or with one that does not do, is answered with: status 402 and {@value #HEADER}
 * (payments.md §6.1).
 *
 * @param url the address of the resource: base URL and path, without the query
 * @param description what the call does, in a few words
 * @param accepts the offers, each in its wire form with its members in order: {@code scheme}, {@code network}, {@code
 *     amount}, {@code asset}, {@code payTo}, {@code maxTimeoutSeconds}, {@code extra}
 */
public record ExactChallenge(String url, String description, List<Map<String, Object>> accepts) {
    /** The header field. */
    public static final String HEADER = "PAYMENT-REQUIRED";

    /** The word for a request that has no payment. */
    public static final String PAYMENT_REQUIRED = "Payment required";

    /** Maximum length of the field, in characters; readers of HTTP take less than that for all fields at times. */
    private static final int LONGEST = 8 * 1024;

    public ExactChallenge {
        accepts = List.copyOf(accepts);
    }

    /**
     * The value of the field. Of more offers than it has room for, the first are in it.
     *
     * @param error {@link #PAYMENT_REQUIRED}, or the reason for which a payment was refused
     * @throws Problem {@code not_found} when the address alone takes the room: nothing has so long a name;
     *     {@code service_unavailable} when there is no offer, as nobody knows yet what the facilitator adds to each
     */
    public String header(String error) {
        if (accepts.isEmpty()) {
            throw Problem.of(
                            ErrorCode.SERVICE_UNAVAILABLE,
                            "It is not known yet how calls are paid for here",
                            "Repeat the call a little later: the facilitator has not said what an offer needs.")
                    .retryAfter(Duration.ofSeconds(5));
        }
        for (int offers = accepts.size(); offers > 0; offers--) {
            String header = header(error, accepts.subList(0, offers));
            if (header.length() <= LONGEST) {
                return header;
            }
        }
        throw Problem.notFound("Resource");
    }

    /**
     * Adds to the error of status 402 what its body says besides.
     *
     * @param price of the call, in USD, such as "2.00"
     * @param reason why a payment was refused, in snake_case; null where there was none
     */
    public Problem on(Problem problem, String price, @Nullable String reason) {
        Problem priced = problem.with("price", price).with("accepts", accepts);
        return reason == null ? priced : priced.with("reason", reason);
    }

    private String header(String error, List<Map<String, Object>> offers) {
        JsonObject resource =
                JsonObject.of("url", url).with("description", description).with("mimeType", "application/json");
        return encoded(JsonObject.of("x402Version", ExactPayment.VERSION)
                .with("error", error)
                .with("resource", resource)
                .with("accepts", offers));
    }

    /** The value of a header field: base64 with padding, as every x402 header has it. */
    static String encoded(JsonObject object) {
        return new String(Base64.getEncoder().encode(Json.write(object)), StandardCharsets.ISO_8859_1);
    }
}
