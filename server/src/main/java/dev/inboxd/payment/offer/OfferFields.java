package dev.inboxd.payment.offer;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.net.RequestHeader;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the offers and the methods of a payments file. What is wrong becomes a fault of their entry. */
final class OfferFields {
    private static final String FACILITATOR = "facilitator";
    private static final int MOST_DECIMALS = 36;
    private static final int LONGEST_URL = 2_048;
    /** Characters of JSON; all offers of a call have to fit into one header field. */
    private static final int LONGEST_EXTRA = 1_024;

    private static final String AUTHORIZATION = "authorization";

    private final PaymentsUse use;

    OfferFields(PaymentsUse use) {
        this.use = use;
    }

    /** An offer of x402. */
    ExactOffer offer(JsonBody body) {
        rejectUnknown(
                body,
                List.of("scheme", "network", "asset", "decimals", "pay_to", "extra", "max_timeout_seconds"),
                "an offer");
        if (!body.string("scheme").orElse(ExactOffer.SCHEME).equals(ExactOffer.SCHEME)) {
            body.fault("scheme", "exact is the only scheme");
        }
        String network = body.string("network").required();
        if (!network.isEmpty() && !Chains.isNetwork(network)) {
            body.fault("network", "this is no network in CAIP-2 form, such as eip155:8453");
        }
        testOnly(body, "network", network);
        Map<String, Object> extra = json(body, "extra");
        if (ExactOffer.isEip155(network)) {
            domain(body, extra, "a network that begins eip155:");
        }
        Long seconds = body.integer("max_timeout_seconds", 60, 3_600);
        return new ExactOffer(
                network,
                address(body, "asset", network),
                decimals(body),
                address(body, "pay_to", network),
                extra,
                seconds == null ? ExactOffer.USUAL_TIMEOUT_SECONDS : seconds.intValue());
    }

    /** A method of MPP. */
    ChargeMethod method(JsonBody body) {
        rejectUnknown(
                body,
                List.of(
                        "method",
                        "verifier",
                        "verifier_headers",
                        "currency",
                        "recipient",
                        "decimals",
                        "details",
                        "extra"),
                "a method");
        String method = body.string("method").required();
        if (!method.chars().allMatch(c -> c >= 'a' && c <= 'z')) {
            body.fault("method", "the name of a method has the letters a to z alone");
        }
        Map<String, Object> details = json(body, "details");
        Map<String, Object> extra = json(body, "extra");
        ChargeMethod.Verifier verifier = verifier(body);
        String network = network(method, details);
        if (verifier instanceof ChargeMethod.Verifier.Facilitator) {
            ofFacilitator(body, method, details);
            domain(body, extra, "a method of the facilitator's");
            testOnly(body, "details", network);
        }
        return new ChargeMethod(
                method,
                verifier,
                address(body, "currency", network),
                address(body, "recipient", network),
                decimals(body),
                details,
                extra);
    }

    /** The chain that a method pays on; of other methods than those of chains nothing is known of addresses. */
    private static String network(String method, Map<String, Object> details) {
        boolean isOfChains = method.equals(ChargeMethod.EVM) || method.equals("tempo");
        return isOfChains ? "eip155:" + details.getOrDefault("chainId", "") : "";
    }

    /** What a facilitator can be asked about is {@code evm} with an authorization. */
    private void ofFacilitator(JsonBody body, String method, Map<String, Object> details) {
        if (!method.equals(ChargeMethod.EVM)) {
            body.fault("verifier", "a facilitator verifies the method evm alone; name the URL of a verifier");
            return;
        }
        if (use.facilitator() == PaymentsUse.FacilitatorKind.NONE) {
            body.fault("verifier", "INBOXD_X402_FACILITATOR is not set; set it, or name the URL of a verifier");
        }
        if (!(details.get("chainId") instanceof Long chain) || chain < 1) {
            body.fault("details", "chainId", "it must be a whole number, such as 8453");
        }
        if (details.containsKey("credentialTypes") && !List.of(AUTHORIZATION).equals(details.get("credentialTypes"))) {
            body.fault("details", "credentialTypes", "a facilitator verifies [authorization] alone");
        }
    }

    private ChargeMethod.Verifier verifier(JsonBody body) {
        String text = body.string("verifier").max(LONGEST_URL).required();
        Map<String, String> headers = headers(body);
        if (text.equals(FACILITATOR) || text.isEmpty()) {
            if (!headers.isEmpty()) {
                body.fault(
                        "verifier_headers",
                        "they are for a verifier with a URL; INBOXD_X402_FACILITATOR_HEADERS"
                                + " has those of the facilitator");
            }
            return new ChargeMethod.Verifier.Facilitator();
        }
        URI url = url(text);
        String fault = url == null ? "which is neither facilitator nor a URL" : ServiceUrl.fault(url, use.production());
        if (fault != null) {
            body.fault("verifier", "it is \"" + (url == null ? text : url) + "\", " + fault);
        }
        return new ChargeMethod.Verifier.Url(url == null || fault != null ? URI.create("") : url, headers);
    }

    private static @Nullable URI url(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    /** The fault of a field never repeats its value, which is a secret as a rule. */
    private static Map<String, String> headers(JsonBody body) {
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, String> fields = body.stringMap("verifier_headers");
        (fields == null ? Map.<String, String>of() : fields).forEach((name, value) -> {
            try {
                RequestHeader field = new RequestHeader(name, value);
                headers.put(field.name(), field.value());
            } catch (IllegalArgumentException refused) {
                body.fault("verifier_headers", name, "this is no header field that may be set");
            }
        });
        return headers;
    }

    /** The development facilitator says yes to everything, so nothing else than a test network is offered with it. */
    private void testOnly(JsonBody body, String member, String network) {
        if (use.facilitator() == PaymentsUse.FacilitatorKind.DEVELOPMENT
                && !network.isEmpty()
                && !network.equals(PaymentTerms.TEST_NETWORK)) {
            body.fault(
                    member,
                    "the development facilitator takes " + PaymentTerms.TEST_NETWORK + " alone, not " + network
                            + "; set INBOXD_X402_FACILITATOR for another network");
        }
    }

    private static String address(JsonBody body, String member, String network) {
        String address = body.string(member).required();
        if (!address.isEmpty() && !Chains.isAddress(network, address)) {
            body.fault(member, "this is no address" + (network.isEmpty() ? "" : " of " + network));
        }
        return address;
    }

    private static int decimals(JsonBody body) {
        if (!body.has("decimals")) {
            body.missing("decimals");
        }
        Long decimals = body.integer("decimals", 0, MOST_DECIMALS);
        return decimals == null ? MOST_DECIMALS : decimals.intValue();
    }

    /** The domain in which a payer signs (EIP-712): without its two members no client can sign. */
    private static void domain(JsonBody body, Map<String, Object> extra, String what) {
        for (String member : List.of("name", "version")) {
            if (!(extra.get(member) instanceof String text) || text.isEmpty()) {
                body.fault(
                        "extra",
                        member,
                        what + " needs it as a text"
                                + (extra.get(member) instanceof Long number ? "; write \"" + number + "\"" : ""));
            }
        }
    }

    private static Map<String, Object> json(JsonBody body, String member) {
        Object content = body.any(member);
        Map<String, Object> read = new LinkedHashMap<>();
        if (content instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if (value == null) {
                    body.fault(member, String.valueOf(name), "it has no value");
                } else {
                    read.put(String.valueOf(name), value);
                }
            });
        } else if (content != null) {
            body.fault(member, member + " must have names with values");
        }
        if (Json.text(read).length() > LONGEST_EXTRA) {
            body.fault(member, member + " must have at most 1,024 characters as JSON");
        }
        return read;
    }

    /** Adds a fault for each member that nobody reads: a misspelled one must not be lost in silence. */
    static void rejectUnknown(JsonBody body, List<String> names, String what) {
        for (String name : body.names()) {
            if (!names.contains(name)) {
                body.fault(name, name + " is no member of " + what + "; it has " + String.join(", ", names));
            }
        }
    }
}
