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
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("name", name);
            one.put("text", schema.text("description"));
            one.putAll(form(schema));
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
            one.put("members", members);
            list.add(one);
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
        JsonTree whole = resolved(schema);
        Map<String, JsonTree> members = new LinkedHashMap<>();
        whole.list("allOf").forEach(part -> members.putAll(members(part)));
        members.putAll(whole.get("properties").members());
        return members;
    }

    /** Names of the members that an object always has. */
    Set<String> required(JsonTree schema) {
        JsonTree whole = resolved(schema);
        Set<String> names = new LinkedHashSet<>(whole.texts("required"));
        whole.list("allOf").forEach(part -> names.addAll(required(part)));
        return names;
    }

    /** What a schema means, by itself or by what it refers to. */
    String text(JsonTree schema) {
        String own = schema.text("description");
        return own.isEmpty() ? resolved(schema).text("description") : own;
    }

    /** A value as an example; empty when the schema has none. */
    JsonTree example(JsonTree schema) {
        JsonTree whole = resolved(schema);
        for (JsonTree source : List.of(schema, whole)) {
            if (!source.list("examples").isEmpty()) {
                return source.list("examples").getFirst();
            }
        }
        return whole.has("const")
                ? whole.get("const")
                : whole.list("enum").stream().findFirst().orElse(JsonTree.EMPTY);
    }

    /** Type, limits and example in words; {@code ref} names the object that it is, or holds. */
    Map<String, @Nullable Object> form(JsonTree schema) {
        JsonTree whole = resolved(schema);
        Map<String, @Nullable Object> form = new LinkedHashMap<>();
        String ref = reference(schema.has("items") ? schema.get("items") : schema);
        form.put("ref", ref);
        form.put("type", type(schema, whole));
        form.put("limits", limits(whole));
        form.put("example", example(schema).text());
        return form;
    }

    private String type(JsonTree schema, JsonTree whole) {
        if (schema.has("items")) {
            return "list of " + name(schema.get("items"));
        }
        if (whole.has("enum")) {
            return String.join(
                    " | ",
                    whole.texts("enum").stream()
                            .map(word -> word.isEmpty() ? "null" : word)
                            .toList());
        }
        if (whole.has("const")) {
            return whole.text("const");
        }
        if (whole.has("oneOf") || whole.has("anyOf")) {
            List<JsonTree> several = whole.has("oneOf") ? whole.list("oneOf") : whole.list("anyOf");
            return "one of "
                    + String.join(", ", several.stream().map(this::name).toList());
        }
        if (whole.has("allOf") || whole.has("properties")) {
            return "object";
        }
        List<String> types = whole.texts("type");
        String type = types.isEmpty() ? whole.text("type") : String.join(" or ", types);
        return type.isEmpty() ? "any value" : whole.text("format").equals("date-time") ? "time" : type;
    }

    private static String limits(JsonTree whole) {
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
            String value = whole.text(word[0]);
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
