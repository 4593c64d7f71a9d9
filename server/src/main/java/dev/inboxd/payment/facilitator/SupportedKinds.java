package dev.inboxd.payment.facilitator;

import dev.inboxd.base.json.Json;
import dev.inboxd.payment.offer.ExactOffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a facilitator says that it supports (x402 v2, GET /supported): the {@code extra} of the scheme {@code exact} by
 * network. Immutable.
 */
public final class SupportedKinds {
    /** Nothing is known. */
    static final SupportedKinds UNKNOWN = new SupportedKinds(Map.of());

    private static final int MOST_KINDS = 1_000;
    /** Characters of JSON; it is part of a header field. */
    private static final int LONGEST_EXTRA = 1_024;

    private final Map<String, Map<String, Object>> extras;

    private SupportedKinds(Map<String, Map<String, Object>> extras) {
        this.extras = Map.copyOf(extras);
    }

    /** Reads an answer; what is not understood in it is passed over. */
    static SupportedKinds read(Map<?, ?> answer) {
        Map<String, Map<String, Object>> extras = new HashMap<>();
        List<?> kinds = answer.get("kinds") instanceof List<?> list ? list : List.of();
        kinds.stream().limit(MOST_KINDS).forEach(entry -> {
            if (entry instanceof Map<?, ?> kind
                    && Long.valueOf(PaymentQuestion.X402_VERSION).equals(kind.get("x402Version"))
                    && ExactOffer.SCHEME.equals(kind.get("scheme"))
                    && kind.get("network") instanceof String network) {
                extras.putIfAbsent(network, extra(kind.get("extra")));
            }
        });
        return new SupportedKinds(extras);
    }

    private static Map<String, Object> extra(@Nullable Object member) {
        Map<String, Object> extra = new LinkedHashMap<>();
        if (member instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if (value != null) {
                    extra.put(String.valueOf(name), value);
                }
            });
        }
        return Json.text(extra).length() > LONGEST_EXTRA ? Map.of() : extra;
    }

    /** Whether {@code exact} is supported on a network; that of all of a namespace is written {@code eip155:*}. */
    public boolean supports(String network) {
        return extras.containsKey(network) || extras.containsKey(namespace(network));
    }

    /** The {@code extra} for a network; empty when there is none or the network is not known. */
    public Map<String, Object> extra(String network) {
        return extras.getOrDefault(network, extras.getOrDefault(namespace(network), Map.of()));
    }

    private static String namespace(String network) {
        return network.substring(0, network.indexOf(':') + 1) + "*";
    }
}
