package dev.inboxd.reference;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The description of the calls in the order in which somebody reads it: by topic, the same call at several levels once.
 * References are resolved as far as a reader wants them to be.
 */
final class ApiOutline {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    private final JsonTree api;
    private final SchemaOutline schemas;
    private final Map<String, List<Map<String, @Nullable Object>>> topics = new LinkedHashMap<>();
    private final Map<String, Map<String, @Nullable Object>> byCall = new LinkedHashMap<>();

    /** The outline of a description. */
    ApiOutline(Map<String, @Nullable Object> openApi) {
        this.api = JsonTree.of(Json.write(openApi));
        this.schemas = new SchemaOutline(api.get("components").get("schemas"));
        api.list("tags").forEach(tag -> topics.put(tag.text("name"), new ArrayList<>()));
        api.get("paths")
                .members()
                .forEach((path, item) -> item.members().forEach((method, operation) -> {
                    if (METHODS.contains(method)) {
                        add(path, method.toUpperCase(Locale.ROOT), item, operation);
                    }
                }));
    }

    /** What the pages and the text for models show. */
    JsonTree tree() {
        List<Map<String, @Nullable Object>> list = new ArrayList<>();
        for (JsonTree tag : api.list("tags")) {
            Map<String, @Nullable Object> topic = new LinkedHashMap<>();
            topic.put("name", tag.text("name"));
            topic.put("id", "topic-" + tag.text("name").toLowerCase(Locale.ROOT).replace(' ', '-'));
            topic.put("text", tag.text("description"));
            topic.put("calls", topics.get(tag.text("name")));
            list.add(topic);
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        List<String> about = List.of(api.get("info").text("description").split("\n\n", -1));
        tree.put("about", about);
        tree.put(
                "words",
                about.stream()
                        .map(paragraph -> paragraph.replace("**", "").replace("`", ""))
                        .toList());
        tree.put("topics", list);
        tree.put("schemas", schemas.all());
        tree.put("codes", api.texts("x-error-codes"));
        tree.put("webhooks", webhooks());
        return JsonTree.of(Json.write(tree));
    }

    private List<Map<String, @Nullable Object>> webhooks() {
        List<Map<String, @Nullable Object>> list = new ArrayList<>();
        api.get("webhooks").members().forEach((type, item) -> {
            JsonTree post = item.get("post");
            Map<String, @Nullable Object> webhook = new LinkedHashMap<>();
            webhook.put("type", type);
            webhook.put("text", post.text("description"));
            webhook.put("schema", schemas.name(content(post.get("requestBody"))));
            list.add(webhook);
        });
        return list;
    }

    private void add(String path, String method, JsonTree item, JsonTree operation) {
        String tag = operation.texts("tags").getFirst();
        String call = method + " " + tag + " " + withoutLevel(path);
        Map<String, @Nullable Object> existing = byCall.get(call);
        if (existing != null && existing.get("also") instanceof List<?> also) {
            List<Object> more = new ArrayList<>(also);
            more.add(Map.of("id", operation.text("operationId"), "path", path));
            existing.put("also", more);
            return;
        }
        Map<String, @Nullable Object> entry = call(path, method, item, operation);
        byCall.put(call, entry);
        topics.computeIfAbsent(tag, _ -> new ArrayList<>()).add(entry);
    }

    /** The same for the same call at an organization, a pod and an inbox. */
    private static String withoutLevel(String path) {
        for (String level : List.of("/v0/pods/{pod_id}/", "/v0/inboxes/{inbox_id}/", "/v0/")) {
            if (path.startsWith(level)) {
                return path.substring(level.length());
            }
        }
        return path;
    }

    private Map<String, @Nullable Object> call(String path, String method, JsonTree item, JsonTree operation) {
        List<JsonTree> parameters = new ArrayList<>();
        for (JsonTree parameter : item.list("parameters")) {
            parameters.add(resolved(parameter));
        }
        for (JsonTree parameter : operation.list("parameters")) {
            parameters.add(resolved(parameter));
        }
        JsonTree body = content(operation.get("requestBody"));
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", operation.text("operationId"));
        entry.put("method", method);
        entry.put("path", path);
        entry.put("summary", operation.text("summary"));
        entry.put("text", operation.text("description"));
        entry.put("permission", operation.text("x-permission"));
        entry.put("also", List.of());
        entry.put("parameters", parameters.stream().map(this::parameter).toList());
        entry.put("body", body.isEmpty() ? null : schemas.name(body));
        entry.put("optional", !operation.get("requestBody").is("required"));
        entry.put("answers", answers(operation));
        entry.put("codes", operation.texts("x-error-codes"));
        entry.put("curl", new CurlCommand(schemas).of(method, path, parameters, operation));
        return entry;
    }

    private Map<String, @Nullable Object> parameter(JsonTree parameter) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("name", parameter.text("name"));
        entry.put("in", parameter.text("in"));
        entry.put("required", parameter.is("required"));
        entry.put("text", parameter.text("description"));
        entry.putAll(schemas.form(parameter.get("schema")));
        return entry;
    }

    private List<Map<String, @Nullable Object>> answers(JsonTree operation) {
        List<Map<String, @Nullable Object>> list = new ArrayList<>();
        operation.get("responses").members().forEach((status, answer) -> {
            JsonTree response = resolved(answer);
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("status", status);
            entry.put("text", response.text("description"));
            entry.put(
                    "media", String.join(", ", response.get("content").members().keySet()));
            JsonTree schema = content(response);
            entry.put("schema", schema.isEmpty() ? null : schemas.name(schema));
            entry.put("ref", SchemaOutline.reference(schema));
            list.add(entry);
        });
        return list;
    }

    private static JsonTree content(JsonTree holder) {
        Map<String, JsonTree> media = holder.get("content").members();
        JsonTree json = media.get("application/json");
        return (json != null ? json : media.values().stream().findFirst().orElse(JsonTree.EMPTY)).get("schema");
    }

    private JsonTree resolved(JsonTree node) {
        List<String> steps = List.of(node.text("$ref").split("/", -1));
        return steps.size() < 4 ? node : api.get("components").get(steps.get(2)).get(steps.get(3));
    }
}
