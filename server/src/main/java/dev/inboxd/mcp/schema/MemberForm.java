package dev.inboxd.mcp.schema;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mcp.result.LongText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the value of an argument or of a member of a result is: its JSON Schema, and its form in the interface. */
public sealed interface MemberForm {
    /**
     * The JSON Schema of a value (2020-12), to be completed. Its type is one word, because hosts that hand schemas on
     * to models refuse a list of types, and a schema without a type (mcp.md §2).
     *
     * @param words what each name means
     */
    JsonObject schema(SchemaWords words);

    /** The value of a tool's result, from the value that a route answered with. */
    Object fromRoute(Object value);

    /** The value that a route takes, from the value of an argument; one of another form is left to the route. */
    default Object toRoute(Object value) {
        return value;
    }

    /** Whether a value may be cut so that its number of entries is said beside it. */
    default boolean isCounted() {
        return false;
    }

    /** Whether an item of a list that was written as text is such a value. */
    default boolean isWritten(@Nullable Object item) {
        return item instanceof String;
    }

    /**
     * A string, number or boolean.
     *
     * @param type its type in JSON Schema
     * @param format its format there, or null
     */
    record Scalar(String type, @Nullable String format) implements MemberForm {
        @Override
        public JsonObject schema(SchemaWords words) {
            return typed(type).with("format", format);
        }

        @Override
        public Object fromRoute(Object value) {
            return value;
        }
    }

    /**
     * The body of a mail or a draft, which may be cut.
     *
     * @param isFenced whether it stands between fences
     */
    record Text(boolean isFenced) implements MemberForm {
        @Override
        public JsonObject schema(SchemaWords words) {
            return typed("string");
        }

        @Override
        public Object fromRoute(Object value) {
            return new LongText(value.toString(), isFenced);
        }
    }

    /** A list. Models also send one as JSON in a string; any other string is left to the route as it is. */
    record Items(MemberForm item) implements MemberForm {
        @Override
        public JsonObject schema(SchemaWords words) {
            return typed("array").with("items", item.schema(words));
        }

        @Override
        public boolean isCounted() {
            return true;
        }

        @Override
        public Object fromRoute(Object value) {
            List<Object> items = new ArrayList<>();
            if (value instanceof List<?> list) {
                list.forEach(element -> items.add(item.fromRoute(element)));
            }
            return items;
        }

        @Override
        public Object toRoute(Object value) {
            if (!(decoded(value) instanceof List<?> list)) {
                return value;
            }
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(element -> items.add(element == null ? null : item.toRoute(element)));
            return items;
        }

        private Object decoded(Object value) {
            return WrittenJson.of(value) instanceof List<?> list
                            && list.stream().allMatch(item::isWritten)
                    ? list
                    : value;
        }
    }

    /** An object whose members are listed. */
    record Nested(ToolShape shape) implements MemberForm {
        @Override
        public JsonObject schema(SchemaWords words) {
            return shape.schema(words);
        }

        @Override
        public Object fromRoute(Object value) {
            return shape.fromRoute(value instanceof Map<?, ?> map ? map : Map.of());
        }

        @Override
        public Object toRoute(Object value) {
            return WrittenJson.of(value) instanceof Map<?, ?> map ? shape.toRoute(map) : value;
        }

        @Override
        public boolean isWritten(@Nullable Object item) {
            return item instanceof Map;
        }
    }

    /** An object that routes write as the value of its first member, where it has no other. */
    record Shortened(ToolShape shape) implements MemberForm {
        @Override
        public JsonObject schema(SchemaWords words) {
            return shape.schema(words);
        }

        @Override
        public Object fromRoute(Object value) {
            return shape.fromRoute(value instanceof Map<?, ?> map ? map : Map.of(first().routeName(), value));
        }

        @Override
        public Object toRoute(Object value) {
            if (!(WrittenJson.of(value) instanceof Map<?, ?> map)) {
                return value;
            }
            Object first = map.get(first().name());
            return first != null && map.size() == 1 ? first : shape.toRoute(map);
        }

        @Override
        public boolean isWritten(@Nullable Object item) {
            return item instanceof Map || item instanceof String;
        }

        private ToolMember first() {
            return shape.members().getFirst();
        }
    }

    /**
     * An object whose members are not listed. Where a route gives something else, which a user stored, that is the
     * member {@code value} of an object.
     *
     * @param isOurs whether the names in it are the interface's, and not a user's
     */
    record Open(boolean isOurs) implements MemberForm {
        @Override
        public JsonObject schema(SchemaWords words) {
            return typed("object");
        }

        @Override
        public boolean isCounted() {
            return true;
        }

        @Override
        public Object fromRoute(Object value) {
            return !(value instanceof Map) ? Map.of("value", value) : isOurs ? renamed(value) : value;
        }

        @Override
        public Object toRoute(Object value) {
            return WrittenJson.of(value) instanceof Map<?, ?> map ? map : value;
        }

        private static Object renamed(Object value) {
            return switch (value) {
                case Map<?, ?> map -> {
                    Map<String, Object> named = new LinkedHashMap<>();
                    map.forEach((name, member) -> {
                        if (member != null) {
                            named.put(ToolMember.camelCase(name.toString()), renamed(member));
                        }
                    });
                    yield named;
                }
                case List<?> list -> list.stream().map(Open::renamed).toList();
                default -> value;
            };
        }
    }

    private static JsonObject typed(String type) {
        return JsonObject.of("type", type);
    }
}
