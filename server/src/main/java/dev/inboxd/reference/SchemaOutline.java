package dev.inboxd.reference;

import dev.inboxd.base.json.JsonTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The named objects of the description, each with all its members, in words. */
final class SchemaOutline {
    private final Map<String, JsonTree> named;

    /** The outline of {@code components.schemas}. */
    SchemaOutline(JsonTree schemas) {
        this.named = schemas.members();
    }

    /** Each object with its members, and each other schema with its form. */
    List<Map<String, @Nullable Object>> all() {
        List<Map<String, @Nullable Object>> list = new ArrayList<>();
        named.forEach((name, schema) -> {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("name", name);
            entry.put("text", schema.text("description"));
            entry.putAll(form(schema));
            List<Map<String, @Nullable Object>> members = new ArrayList<>();
            Set<String> required = required(schema);
            members(schema).forEach((member, form) -> {
                Map<String, @Nullable Object> row = new LinkedHashMap<>();
                row.put("name", member);
                row.put("required", required.contains(member));
                row.put("text", text(form));
                row.putAll(form(form));
                members.add(row);
            });
            entry.put("members", members);
            list.add(entry);
        });
        return list;
    }

    /** The name of a schema that is referred to, or the words for another one. */
    String name(JsonTree schema) {
        String name = reference(schema);
        return name != null ? name : String.valueOf(form(schema).get("type"));
    }

    /** Members of an object, those of what it is made of first. */
    Map<String, JsonTree> members(JsonTree schema) {
        JsonTree resolved = resolved(schema);
        Map<String, JsonTree> members = new LinkedHashMap<>();
        resolved.list("allOf").forEach(part -> members.putAll(members(part)));
        members.putAll(resolved.get("properties").members());
        return members;
    }

    /** Names of the members that an object always has. */
    Set<String> required(JsonTree schema) {
        JsonTree resolved = resolved(schema);
        Set<String> names = new LinkedHashSet<>(resolved.texts("required"));
        resolved.list("allOf").forEach(part -> names.addAll(required(part)));
        return names;
    }

    /** What a schema means, by itself or by what it refers to. */
    String text(JsonTree schema) {
        String own = schema.text("description");
        return own.isEmpty() ? resolved(schema).text("description") : own;
    }

    /** A value as an example; empty when the schema has none. */
    JsonTree example(JsonTree schema) {
        JsonTree resolved = resolved(schema);
        for (JsonTree source : List.of(schema, resolved)) {
            if (!source.list("examples").isEmpty()) {
                return source.list("examples").getFirst();
            }
        }
        return resolved.has("const")
                ? resolved.get("const")
                : resolved.list("enum").stream().findFirst().orElse(JsonTree.EMPTY);
    }

    /** Type, limits and example in words; {@code ref} names the object that it is, or holds. */
    Map<String, @Nullable Object> form(JsonTree schema) {
        JsonTree resolved = resolved(schema);
        Map<String, @Nullable Object> form = new LinkedHashMap<>();
        String ref = reference(schema.has("items") ? schema.get("items") : schema);
        form.put("ref", ref);
        form.put("type", type(schema, resolved));
        form.put("limits", limits(resolved));
        form.put("example", example(schema).text());
        return form;
    }

    private String type(JsonTree schema, JsonTree resolved) {
        if (schema.has("items")) {
            return "list of " + name(schema.get("items"));
        }
        if (resolved.has("enum")) {
            return String.join(
                    " | ",
                    resolved.texts("enum").stream()
                            .map(word -> word.isEmpty() ? "null" : word)
                            .toList());
        }
        if (resolved.has("const")) {
            return resolved.text("const");
        }
        if (resolved.has("oneOf") || resolved.has("anyOf")) {
            List<JsonTree> several = resolved.has("oneOf") ? resolved.list("oneOf") : resolved.list("anyOf");
            return "one of "
                    + String.join(", ", several.stream().map(this::name).toList());
        }
        if (resolved.has("allOf") || resolved.has("properties")) {
            return "object";
        }
        List<String> types = resolved.texts("type");
        String type = types.isEmpty() ? resolved.text("type") : String.join(" or ", types);
        return type.isEmpty() ? "any value" : resolved.text("format").equals("date-time") ? "time" : type;
    }

    private static String limits(JsonTree resolved) {
        List<String> limits = new ArrayList<>();
        String[][] words = {
            {"minLength", "at least % characters"},
            {"maxLength", "at most % characters"},
            {"minimum", "% or more"},
            {"maximum", "% or less"},
            {"maxItems", "at most % items"},
            {"maxProperties", "at most % members"},
            {"default", "% when left out"}
        };
        for (String[] word : words) {
            String value = resolved.text(word[0]);
            if (!value.isEmpty()) {
                limits.add(word[1].replace("%", value));
            }
        }
        return String.join(", ", limits);
    }

    /** The name of the schema that this one refers to; null when it is one itself. */
    @Nullable
    static String reference(JsonTree schema) {
        String ref = schema.text("$ref");
        return ref.isEmpty() ? null : ref.substring(ref.lastIndexOf('/') + 1);
    }

    private JsonTree resolved(JsonTree schema) {
        String name = reference(schema);
        return name == null ? schema : named.getOrDefault(name, JsonTree.EMPTY);
    }
}
