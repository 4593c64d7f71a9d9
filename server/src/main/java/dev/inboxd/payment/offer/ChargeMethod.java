package dev.inboxd.payment.offer;

import java.net.URI;
import java.util.Map;

/**
 * A way of paying by MPP with its intent {@code charge}.
 *
 * @param method its name there, such as {@code evm}
 * @param verifier who verifies and settles it
 * @param currency the address of the asset
 * @param recipient the address of the receiver
 * @param decimals of the asset
 * @param details what a payer has to know besides ({@code methodDetails}), as values of JSON
 * @param extra what a facilitator has to know and no payer is told
 */
public record ChargeMethod(
        String method,
        Verifier verifier,
        String currency,
        String recipient,
        int decimals,
        Map<String, Object> details,
        Map<String, Object> extra) {
    /** The only intent that is offered. */
    public static final String INTENT = "charge";

    /** The method that an x402 facilitator can verify. */
    public static final String EVM = "evm";

    public ChargeMethod {
        details = MemberMaps.copy(details);
        extra = MemberMaps.copy(extra);
    }

    /** Who verifies and settles the payments of a method. */
    public sealed interface Verifier {
        /** The facilitator of x402. */
        record Facilitator() implements Verifier {}

        /**
         * A service of the operator's.
         *
         * @param url what is posted to
         * @param headers fields of each request, which are secret
         */
        record Url(URI url, Map<String, String> headers) implements Verifier {
            public Url {
                headers = MemberMaps.copy(headers);
            }

            /** The URL alone: the fields are secret. */
            @Override
            public String toString() {
                return url.toString();
            }
        }
    }

    /** The smallest units of the asset that a price is. */
    public String amount(Price price) {
        return price.amount(decimals);
    }

    /**
     * The same as an offer of x402, which is what a facilitator is asked about. For a method of the facilitator's.
     *
     * @throws IllegalStateException when the method names no chain
     */
    public ExactOffer asExact() {
        if (!(details.get("chainId") instanceof Long chain)) {
            throw new IllegalStateException(method + " names no chain");
        }
        return new ExactOffer(
                "eip155:" + chain, currency, decimals, recipient, extra, ExactOffer.USUAL_TIMEOUT_SECONDS);
    }
}
