package dev.inboxd.payment.offer;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A way of paying by x402 with its scheme {@code exact}: so much of an asset to one receiver.
 *
 * @param network in CAIP-2 form, such as {@code eip155:8453}
 * @param asset the address of the asset there
 * @param decimals of the asset
 * @param payTo the address of the receiver
 * @param extra what a payer has to know besides, as values of JSON
 * @param maxTimeoutSeconds how long an authorization may be good for
 */
public record ExactOffer(
        String network, String asset, int decimals, String payTo, Map<String, Object> extra, int maxTimeoutSeconds) {
    /** The only scheme that is offered. */
    public static final String SCHEME = "exact";

    /** The seconds of an offer that names none. */
    public static final int USUAL_TIMEOUT_SECONDS = 300;

    /** A member of {@code extra}: the account of the facilitator that pays the fees of Solana. */
    private static final String FEE_PAYER = "feePayer";

    public ExactOffer {
        extra = MemberMaps.copy(extra);
    }

    /** Whether the network is one of the Ethereum virtual machine, whose addresses are compared in lower case. */
    public static boolean isEip155(String network) {
        return network.startsWith("eip155:");
    }

    /** The smallest units of the asset that a price is. */
    public String amount(Price price) {
        return price.amount(decimals);
    }

    /**
     * Whether it can be made only once a facilitator has said what it supports: the payer of Solana's fees is its own.
     *
     * @param supported the {@code extra} that the facilitator gives for this network; empty while it is not known
     */
    public boolean lacks(Map<String, Object> supported) {
        return network.startsWith("solana:") && !extra.containsKey(FEE_PAYER) && !supported.containsKey(FEE_PAYER);
    }

    /** The offer as a facilitator and a payer read it, with the seconds of the file. */
    public Map<String, Object> accepted(Price price, Map<String, Object> supported) {
        return accepted(price, supported, maxTimeoutSeconds);
    }

    /**
     * The offer as a facilitator and a payer read it (x402 v2, PaymentRequirements), with its members in that order.
     *
     * @param supported the {@code extra} that the facilitator gives for this network; what the file says comes first
     * @param seconds how long the authorization may be good for
     */
    public Map<String, Object> accepted(Price price, Map<String, Object> supported, int seconds) {
        Map<String, Object> merged = new LinkedHashMap<>(supported);
        merged.putAll(extra);
        Map<String, Object> accepted = new LinkedHashMap<>();
        accepted.put("scheme", SCHEME);
        accepted.put("network", network);
        accepted.put("amount", amount(price));
        accepted.put("asset", asset);
        accepted.put("payTo", payTo);
        accepted.put("maxTimeoutSeconds", (long) seconds);
        accepted.put("extra", merged);
        return accepted;
    }
}
