package dev.inboxd.base.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON that is read leniently, for pages: what is absent, or of another type, is empty. Immutable. */
public final class JsonTree {
    /** Nothing. */
    public static final JsonTree EMPTY = new JsonTree(null);

    private final @Nullable Object value;

    private JsonTree(@Nullable Object value) {
        this.value = value;
    }

    /** Reads JSON; no bytes are nothing. */
    public static JsonTree of(byte[] json) {
        return json.length == 0 ? EMPTY : new JsonTree(Json.parse(json));
    }

    /** A member of this object. */
    public JsonTree get(String name) {
        Object member = value instanceof Map<?, ?> object ? object.get(name) : null;
        return member == null ? EMPTY : new JsonTree(member);
    }

    /** Whether there is nothing here: no value, text, member or item. */
    public boolean isEmpty() {
        return switch (value) {
            case null -> true;
            case Map<?, ?> object -> object.isEmpty();
            case List<?> list -> list.isEmpty();
            default -> value.toString().isEmpty();
        };
    }

    /** Whether this object has that member. */
    public boolean has(String name) {
        return !get(name).isEmpty();
    }

    /** This value as {@link Json#parse} gives it; null for nothing. */
    public @Nullable Object value() {
        return value;
    }

    /** This value as text; empty for nothing, an object or a list. */
    public String text() {
        return value == null || value instanceof Map<?, ?> || value instanceof List<?> ? "" : value.toString();
    }

    /** A member as text. */
    public String text(String name) {
        return get(name).text();
    }

    /** A member as a whole number; 0 for anything else. */
    public long number(String name) {
        Object member = get(name).value;
        return member instanceof Number number ? number.longValue() : 0;
    }

    /** Whether a member is true. */
    public boolean is(String name) {
        return Boolean.TRUE.equals(get(name).value);
    }

    /** The items of this list. */
    public List<JsonTree> items() {
        List<JsonTree> items = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(item -> items.add(new JsonTree(item)));
        }
        return items;
    }

    /** The items of a member. */
    public List<JsonTree> list(String name) {
        return get(name).items();
    }

    /** The items of a member as texts. */
    public List<String> texts(String name) {
        return list(name).stream().map(JsonTree::text).toList();
    }

    /** The members of this object, in their order. */
    public Map<String, JsonTree> members() {
        Map<String, JsonTree> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> object) {
            object.forEach((name, member) -> members.put(String.valueOf(name), new JsonTree(member)));
        }
        return members;
    }
}
