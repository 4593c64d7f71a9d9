package dev.inboxd.reference;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of the description as the test run holds answers against them: an object has the members that are
 * described and no others. What consists of several parts is one object, so that its members are known in one place;
 * objects whose names callers choose stay open.
 */
final class StrictSchemas {
    private final Map<?, ?> named;

    /** The strict form of {@code components.schemas}. */
    StrictSchemas(Map<?, ?> named) {
        this.named = named;
    }

    /** Each named schema. */
    Map<String, @Nullable Object> all() {
        Map<String, @Nullable Object> strict = new LinkedHashMap<>();
        named.forEach((name, schema) -> strict.put(String.valueOf(name), of(schema)));
        return strict;
    }

    /** A schema, with references to the strict ones. */
    @Nullable
    Object of(@Nullable Object schema) {
        if (schema instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(of(item)));
            return items;
        }
        if (!(schema instanceof Map<?, ?> object)) {
            return schema;
        }
        Map<String, @Nullable Object> strict = new LinkedHashMap<>();
        flattened(object).forEach((name, value) -> {
            switch (name) {
                case "description", "examples", "default", "x-also", "x-takes", "x-enum-varnames" -> {} // for readers
                case "$ref" ->
                    strict.put(name, "#/$defs/" + String.valueOf(value).replaceFirst("^.*/", ""));
                case "properties" -> strict.put(name, each(value));
                case "enum", "const", "required" -> strict.put(name, value);
                default -> strict.put(name, of(value));
            }
        });
        Object described = strict.get("type");
        if (object.get("x-takes") instanceof String type && described != null) {
            List<@Nullable Object> types =
                    new ArrayList<>(described instanceof List<?> list ? list : List.of(described));
            types.add(type);
            strict.put("type", types);
        }
        if (strict.containsKey("properties")) {
            strict.putIfAbsent("additionalProperties", false);
        }
        return strict;
    }

    private Map<String, @Nullable Object> each(@Nullable Object properties) {
        Map<String, @Nullable Object> strict = new LinkedHashMap<>();
        if (properties instanceof Map<?, ?> members) {
            members.forEach((name, schema) -> strict.put(String.valueOf(name), of(schema)));
        }
        return strict;
    }

    /**
     * An object without {@code allOf}: the members of all its parts are its own, and those that it has besides what is
     * described ({@code x-also}).
     */
    private Map<String, @Nullable Object> flattened(Map<?, ?> schema) {
        Map<String, @Nullable Object> flat = new LinkedHashMap<>();
        schema.forEach((name, value) -> flat.put(String.valueOf(name), value));
        if (!(flat.remove("allOf") instanceof List<?> parts)) {
            return flat;
        }
        Map<Object, @Nullable Object> properties = new LinkedHashMap<>();
        if (flat.get("x-also") instanceof Map<?, ?> members) {
            members.forEach(properties::put);
            flat.remove("additionalProperties"); // for clients, which shall take them
        }
        Set<@Nullable Object> required = new LinkedHashSet<>();
        for (Object part : parts) {
            Map<String, @Nullable Object> whole = flattened(resolved(part));
            if (whole.get("properties") instanceof Map<?, ?> members) {
                members.forEach(properties::put);
            }
            if (whole.get("required") instanceof List<?> names) {
                required.addAll(names);
            }
        }
        flat.put("type", "object");
        flat.put("properties", properties);
        flat.put("required", List.copyOf(required));
        return flat;
    }

    private Map<?, ?> resolved(@Nullable Object part) {
        Map<?, ?> given = part instanceof Map<?, ?> map ? map : Map.of();
        if (!(given.get("$ref") instanceof String ref)) {
            return given;
        }
        return named.get(ref.substring(ref.lastIndexOf('/') + 1)) instanceof Map<?, ?> found ? found : Map.of();
    }
}
