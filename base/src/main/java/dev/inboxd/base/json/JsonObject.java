package dev.inboxd.base.json;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object to write, member by member in order. A member whose value is null is left out (mail.md §1.1: optional
 * members are omitted, never null). Repeated names are not checked. Not thread-safe.
 */
public final class JsonObject {
    private Object[] pairs = new Object[32];
    private int size;

    /** An empty object. */
    public JsonObject() {}

    /** An object with one first member. */
    public static JsonObject of(String name, @Nullable Object value) {
        return new JsonObject().with(name, value);
    }

    /**
     * Adds a member.
     *
     * @param value any value that {@link Json#write} accepts; null adds nothing
     */
    public JsonObject with(String name, @Nullable Object value) {
        if (value != null) {
            if (size == pairs.length) {
                pairs = Arrays.copyOf(pairs, size * 2);
            }
            pairs[size++] = name;
            pairs[size++] = value;
        }
        return this;
    }

    /** Adds all members of another object. */
    public JsonObject withAll(JsonObject source) {
        for (int i = 0; i < source.size(); i++) {
            with(source.name(i), source.value(i));
        }
        return this;
    }

    /** Takes the members of these names out, where they are there. */
    public JsonObject without(String... names) {
        List<Object> removed = List.of((Object[]) names);
        int newSize = 0;
        for (int i = 0; i < size; i += 2) {
            if (!removed.contains(pairs[i])) {
                pairs[newSize] = pairs[i];
                pairs[newSize + 1] = pairs[i + 1];
                newSize += 2;
            }
        }
        size = newSize;
        return this;
    }

    int size() {
        return size / 2;
    }

    String name(int index) {
        return (String) pairs[2 * index];
    }

    Object value(int index) {
        return pairs[2 * index + 1];
    }
}
