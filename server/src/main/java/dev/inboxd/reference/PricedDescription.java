package dev.inboxd.reference;

import dev.inboxd.base.json.Json;
import dev.inboxd.payment.offer.CallDescription;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The description of the API where calls are paid for: without what is missing there, and with what each call wants
 * (draft-payment-discovery-00: {@code x-payment-info}).
 */
public final class PricedDescription implements CallDescription {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch", "head");
    private final String version;

    /** @param version of this program */
    public PricedDescription(String version) {
        this.version = version;
    }

    @Override
    public byte[] of(Place place, Set<String> routes, Function<String, List<Map<String, Object>>> offers) {
        Map<String, @Nullable Object> description =
                ApiDescription.of(ApiDescription.openApi(), version, ApiDescription.servers(place.base()));
        Map<String, Object> paths = new LinkedHashMap<>();
        if (description.get("paths") instanceof Map<?, ?> all) {
            all.forEach((path, item) -> {
                Map<String, Object> own = item(
                        String.valueOf(path),
                        (Map<?, ?>) item,
                        routes,
                        route -> pricedCall(place, offers.apply(route)));
                if (own.keySet().stream().anyMatch(METHODS::contains)) {
                    paths.put(String.valueOf(path), own);
                }
            });
        }
        description.put("paths", paths);
        description.put("security", List.of());
        return Json.write(description);
    }

    @Override
    public Map<String, String> words() {
        Map<String, String> words = new HashMap<>();
        if (ApiDescription.openApi().get("paths") instanceof Map<?, ?> paths) {
            paths.forEach((path, item) -> ((Map<?, ?>) item).forEach((method, value) -> {
                if (value instanceof Map<?, ?> operation && operation.get("summary") instanceof String summary) {
                    words.put(String.valueOf(method).toUpperCase(Locale.ROOT) + " " + path, summary);
                }
            }));
        }
        return words;
    }

    private static Map<String, Object> item(
            String path, Map<?, ?> item, Set<String> routes, Function<String, @Nullable PricedCall> prices) {
        Map<String, Object> own = new LinkedHashMap<>();
        item.forEach((name, value) -> {
            String member = String.valueOf(name);
            String route = member.toUpperCase(Locale.ROOT) + " " + path;
            if (!METHODS.contains(member)) {
                own.put(member, value);
            } else if (routes.contains(route) && value instanceof Map<?, ?> operation) {
                own.put(member, operation(operation, prices.apply(route)));
            }
        });
        return own;
    }

    /**
     * What is said of a call that is paid for.
     *
     * @param challenge its answer without a payment
     */
    private record PricedCall(List<Map<String, Object>> offers, Map<String, Object> challenge) {}

    private static @Nullable PricedCall pricedCall(Place place, List<Map<String, Object>> offers) {
        String type = place.hasProblems() ? "application/problem+json" : "application/json";
        return offers.isEmpty()
                ? null
                : new PricedCall(
                        offers,
                        Map.of(
                                "description",
                                "What the call costs, or that it wants a proof of who asks."
                                        + " The header has the offers to sign.",
                                "content",
                                Map.of(type, Map.of("schema", Map.of("$ref", "#/components/schemas/Error")))));
    }

    private static Map<String, Object> operation(Map<?, ?> operation, @Nullable PricedCall priced) {
        Map<String, Object> own = new LinkedHashMap<>();
        operation.forEach((name, value) -> own.put(String.valueOf(name), value));
        own.remove("security"); // no key opens anything here
        if (priced == null) {
            return own;
        }
        own.put("x-payment-info", Map.of("offers", priced.offers));
        Map<String, Object> responses = new LinkedHashMap<>();
        if (operation.get("responses") instanceof Map<?, ?> all) {
            all.forEach((status, response) -> responses.put(String.valueOf(status), response));
        }
        responses.put("402", priced.challenge);
        own.put("responses", responses);
        return own;
    }
}
