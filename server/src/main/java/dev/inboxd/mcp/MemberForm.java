package dev.inboxd.mcp;

import dev.inboxd.base.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the value of an argument or of a member of a result is: its JSON Schema, and its form in the interface. */
sealed interface MemberForm {
    /**
     * The JSON Schema of a value (2020-12), to be completed.
     *
     * @param words what each name means
     * @param nullable whether null is a value too
     */
    JsonObject schema(Map<String, String> words, boolean nullable);

    /** The value of a tool's result, from the value that a route answered with. */
    Object fromRoute(Object value, ResultBudget budget);

    /** The value that a route takes, from the value of an argument; one of another form is left to the route. */
    default Object toRoute(Object value) {
        return value;
    }

    /**
     * A string, number or boolean.
     *
     * @param type its type in JSON Schema
     * @param format its format there, or null
     */
    record Scalar(String type, @Nullable String format) implements MemberForm {
        @Override
        public JsonObject schema(Map<String, String> words, boolean nullable) {
            return typed(type, nullable).with("format", format);
        }

        @Override
        public Object fromRoute(Object value, ResultBudget budget) {
            return value;
        }
    }

    /** The body of a mail or a draft, which is cut. */
    record Text() implements MemberForm {
        @Override
        public JsonObject schema(Map<String, String> words, boolean nullable) {
            return typed("string", nullable);
        }

        @Override
        public Object fromRoute(Object value, ResultBudget budget) {
            return budget.cut(value.toString());
        }
    }

    /** A list. */
    record Items(MemberForm item) implements MemberForm {
        @Override
        public JsonObject schema(Map<String, String> words, boolean nullable) {
            return typed("array", nullable).with("items", item.schema(words, false));
        }

        @Override
        public Object fromRoute(Object value, ResultBudget budget) {
            List<Object> items = new ArrayList<>();
            if (value instanceof List<?> list) {
                list.forEach(each -> items.add(item.fromRoute(each, budget)));
            }
            return items;
        }

        @Override
        public Object toRoute(Object value) {
            List<@Nullable Object> items = new ArrayList<>();
            if (value instanceof List<?> list) {
                list.forEach(each -> items.add(each == null ? null : item.toRoute(each)));
            }
            return value instanceof List ? items : value;
        }
    }

    /** An object whose members are listed. */
    record Nested(ToolShape shape) implements MemberForm {
        @Override
        public JsonObject schema(Map<String, String> words, boolean nullable) {
            return shape.schema(words, nullable, false);
        }

        @Override
        public Object fromRoute(Object value, ResultBudget budget) {
            return shape.fromRoute(value instanceof Map<?, ?> map ? map : Map.of(), budget);
        }

        @Override
        public Object toRoute(Object value) {
            return value instanceof Map<?, ?> map ? shape.toRoute(map) : value;
        }
    }

    /**
     * An object, or anything, whose members are not listed.
     *
     * @param type its type in JSON Schema, or null for any
     * @param isOurs whether the names in it are the interface's, and not a user's
     */
    record Open(@Nullable String type, boolean isOurs) implements MemberForm {
        @Override
        public JsonObject schema(Map<String, String> words, boolean nullable) {
            return type == null ? new JsonObject() : typed(type, nullable);
        }

        @Override
        public Object fromRoute(Object value, ResultBudget budget) {
            return isOurs ? renamed(value) : value;
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

    private static JsonObject typed(String type, boolean nullable) {
        return JsonObject.of("type", nullable ? List.of(type, "null") : type);
    }
}
