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
    private static final Map<String, Object> WANTED = Map.of(
            "description",
            "What the call costs, or that it wants a proof of who asks. The header has the offers to sign.",
            "content",
            Map.of("application/json", Map.of("schema", Map.of("$ref", "#/components/schemas/Error"))));

    private final String version;

    /** @param version of this program */
    public PricedDescription(String version) {
        this.version = version;
    }

    @Override
    public byte[] of(String base, Set<String> routes, Function<String, List<Map<String, Object>>> offers) {
        Map<String, @Nullable Object> description =
                ApiDescription.of(ApiDescription.openApi(), version, ApiDescription.servers(base));
        Map<String, Object> paths = new LinkedHashMap<>();
        if (description.get("paths") instanceof Map<?, ?> all) {
            all.forEach((path, item) -> {
                Map<String, Object> own = item(String.valueOf(path), (Map<?, ?>) item, routes, offers);
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
            String path, Map<?, ?> item, Set<String> routes, Function<String, List<Map<String, Object>>> offers) {
        Map<String, Object> own = new LinkedHashMap<>();
        item.forEach((name, value) -> {
            String member = String.valueOf(name);
            String route = member.toUpperCase(Locale.ROOT) + " " + path;
            if (!METHODS.contains(member)) {
                own.put(member, value);
            } else if (routes.contains(route) && value instanceof Map<?, ?> operation) {
                own.put(member, operation(operation, offers.apply(route)));
            }
        });
        return own;
    }

    private static Map<String, Object> operation(Map<?, ?> operation, List<Map<String, Object>> offers) {
        Map<String, Object> own = new LinkedHashMap<>();
        operation.forEach((name, value) -> own.put(String.valueOf(name), value));
        own.remove("security"); // no key opens anything here
        if (offers.isEmpty()) {
            return own;
        }
        own.put("x-payment-info", Map.of("offers", offers));
        Map<String, Object> responses = new LinkedHashMap<>();
        if (operation.get("responses") instanceof Map<?, ?> all) {
            all.forEach((status, response) -> responses.put(String.valueOf(status), response));
        }
        responses.put("402", WANTED);
        own.put("responses", responses);
        return own;
    }
}
