package dev.inboxd.cli.mail;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the commands of the description of the API. */
final class DescriptionReader {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    private final JsonTree api;
    private final Map<String, JsonTree> schemas;

    /** Reads a document of OpenAPI 3.1. */
    DescriptionReader(Map<String, @Nullable Object> openApi) {
        this.api = JsonTree.of(Json.write(openApi));
        this.schemas = api.get("components").get("schemas").members();
    }

    /** Every call, in the order of the description. */
    List<MailOperation> operations() {
        List<MailOperation> operations = new ArrayList<>();
        Set<List<Object>> signatures = new LinkedHashSet<>();
        api.get("paths")
                .members()
                .forEach((path, item) -> item.members().forEach((method, operation) -> {
                    if (METHODS.contains(method)) {
                        MailOperation read = operation(path, method.toUpperCase(Locale.ROOT), item, operation);
                        boolean isTold = signatures.add(List.of(read.resource(), read.verb(), read.pathMembers()));
                        operations.add(isTold ? read : renamed(read, CommandName.ofOperationId(read.id())));
                    }
                }));
        return operations;
    }

    private static MailOperation renamed(MailOperation read, String verb) {
        return new MailOperation(
                read.resource(),
                verb,
                read.id(),
                read.method(),
                read.path(),
                read.media(),
                read.items(),
                read.isOpen(),
                read.summary(),
                read.flags());
    }

    private MailOperation operation(String path, String method, JsonTree item, JsonTree operation) {
        String id = operation.text("operationId");
        CommandName name = CommandName.of(path, id);
        Map<String, MailFlag> flags = new LinkedHashMap<>();
        for (JsonTree holder : List.of(item, operation)) {
            for (JsonTree unresolved : holder.list("parameters")) {
                JsonTree parameter = resolved(unresolved);
                MailFlag.Place place =
                        MailFlag.Place.valueOf(parameter.text("in").toUpperCase(Locale.ROOT));
                String member = parameter.text("name");
                flags.putIfAbsent(member, flag(member, place, parameter.get("schema"), parameter.text("description")));
            }
        }
        Map<String, JsonTree> content =
                resolved(operation.get("requestBody")).get("content").members();
        String media = content.keySet().stream().findFirst().orElse("");
        JsonTree body = content.getOrDefault(media, JsonTree.EMPTY).get("schema");
        members(body)
                .forEach((member, schema) ->
                        flags.putIfAbsent(member, flag(member, MailFlag.Place.BODY, schema, text(schema))));
        boolean isOpen = operation.value() instanceof Map<?, ?> members
                && members.get("security") instanceof List<?> list
                && list.isEmpty();
        return new MailOperation(
                name.resource(),
                name.verb(),
                id,
                method,
                path,
                media,
                flags.containsKey("page_token") ? items(operation) : "",
                isOpen,
                operation.text("summary"),
                List.copyOf(flags.values()));
    }

    private MailFlag flag(String member, MailFlag.Place place, JsonTree schema, String description) {
        JsonTree resolvedSchema = resolved(schema);
        boolean isRepeated = types(resolvedSchema).contains("array");
        MailFlag.Kind kind = kind(isRepeated ? resolved(resolvedSchema.get("items")) : resolvedSchema);
        String text = description.isEmpty() ? text(schema) : description;
        return new MailFlag(member, place, kind, isRepeated, resolvedSchema.number("maximum"), plain(text));
    }

    private static MailFlag.Kind kind(JsonTree schema) {
        List<String> types = types(schema);
        if (types.contains("string")) {
            return MailFlag.Kind.TEXT;
        }
        if (types.contains("boolean")) {
            return MailFlag.Kind.BOOLEAN;
        }
        if (types.contains("integer") || types.contains("number")) {
            return MailFlag.Kind.NUMBER;
        }
        return types.isEmpty() && (schema.has("enum") || schema.has("const")) ? MailFlag.Kind.TEXT : MailFlag.Kind.JSON;
    }

    private static List<String> types(JsonTree schema) {
        String only = schema.text("type");
        return only.isEmpty() ? schema.texts("type") : List.of(only);
    }

    /** The member of the answer that is a list of items. */
    private String items(JsonTree operation) {
        JsonTree answer = resolved(operation.get("responses").get("200"));
        JsonTree schema = answer.get("content").get("application/json").get("schema");
        return members(schema).entrySet().stream()
                .filter(member -> types(resolved(member.getValue())).contains("array"))
                .map(Map.Entry::getKey)
                .reduce((_, last) -> last)
                .orElse("");
    }

    private Map<String, JsonTree> members(JsonTree schema) {
        JsonTree resolvedSchema = resolved(schema);
        Map<String, JsonTree> members = new LinkedHashMap<>();
        for (String parts : List.of("allOf", "oneOf", "anyOf")) {
            resolvedSchema.list(parts).forEach(part -> members.putAll(members(part)));
        }
        members.putAll(resolvedSchema.get("properties").members());
        return members;
    }

    private String text(JsonTree schema) {
        String own = schema.text("description");
        return own.isEmpty() ? resolved(schema).text("description") : own;
    }

    private JsonTree resolved(JsonTree node) {
        String reference = node.text("$ref");
        if (reference.isEmpty()) {
            return node;
        }
        String[] steps = reference.split("/", -1);
        return steps[2].equals("schemas")
                ? resolved(schemas.getOrDefault(steps[3], JsonTree.EMPTY))
                : api.get("components").get(steps[2]).get(steps[3]);
    }

    /** On one line: what follows a tab or a line break would be another field. */
    private static String plain(String text) {
        return String.join(" ", text.split("\\s+"));
    }
}
