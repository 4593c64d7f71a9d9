package dev.inboxd.cli.query;

import dev.inboxd.platform.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The functions of expressions. What gets another kind of value than it takes is a {@link QueryException}. */
final class QueryFunctions {
    /** How many arguments each takes; -1 is one or more. */
    private static final Map<String, Integer> ARGUMENTS = Map.ofEntries(
            Map.entry("length", 1),
            Map.entry("keys", 1),
            Map.entry("values", 1),
            Map.entry("type", 1),
            Map.entry("to_string", 1),
            Map.entry("to_number", 1),
            Map.entry("to_array", 1),
            Map.entry("reverse", 1),
            Map.entry("sort", 1),
            Map.entry("max", 1),
            Map.entry("min", 1),
            Map.entry("sum", 1),
            Map.entry("join", 2),
            Map.entry("contains", 2),
            Map.entry("starts_with", 2),
            Map.entry("ends_with", 2),
            Map.entry("map", 2),
            Map.entry("sort_by", 2),
            Map.entry("max_by", 2),
            Map.entry("min_by", 2),
            Map.entry("merge", -1),
            Map.entry("not_null", -1));

    private QueryFunctions() {}

    /**
     * A function.
     *
     * @param count of the arguments that it will get
     * @throws QueryException when there is none of that name, or it takes another number
     */
    static Function<List<@Nullable Object>, @Nullable Object> named(String name, int count) {
        Integer takes = ARGUMENTS.get(name);
        if (takes == null) {
            throw new QueryException("there is no function " + name + "; there are "
                    + String.join(", ", ARGUMENTS.keySet().stream().sorted().toList()));
        }
        if (takes < 0 ? count == 0 : count != takes) {
            throw new QueryException(name + " takes " + (takes < 0 ? "one or more" : takes) + " arguments");
        }
        return takes == 1 ? new Single(name) : new Several(name);
    }

    private record Single(String name) implements Function<List<@Nullable Object>, @Nullable Object> {
        @Override
        public @Nullable Object apply(List<@Nullable Object> given) {
            return one(name, given.getFirst());
        }
    }

    private record Several(String name) implements Function<List<@Nullable Object>, @Nullable Object> {
        @Override
        public @Nullable Object apply(List<@Nullable Object> given) {
            return several(name, given);
        }
    }

    private static @Nullable Object one(String name, @Nullable Object value) {
        return switch (name) {
            case "length" -> length(value);
            case "keys" -> new ArrayList<>(object(name, value).keySet());
            case "values" -> new ArrayList<>(object(name, value).values());
            case "type" -> type(value);
            case "to_string" -> value instanceof String ? value : Json.text(value);
            case "to_number" -> number(value);
            case "to_array" -> value instanceof List<?> ? value : Collections.singletonList(value);
            case "reverse" ->
                value instanceof String text
                        ? new StringBuilder(text).reverse().toString()
                        : list(name, value).reversed();
            case "sort" -> list(name, value).stream().sorted(order(name)).toList();
            case "max" -> list(name, value).stream().max(order(name)).orElse(null);
            case "min" -> list(name, value).stream().min(order(name)).orElse(null);
            default -> sum(list(name, value));
        };
    }

    private static @Nullable Object several(String name, List<@Nullable Object> given) {
        Object first = given.getFirst();
        Object second = given.size() > 1 ? given.get(1) : null;
        return switch (name) {
            case "join" ->
                String.join(
                        String.valueOf(first),
                        list(name, second).stream().map(String::valueOf).toList());
            case "contains" ->
                first instanceof String text
                        ? text.contains(String.valueOf(second))
                        : list(name, first).contains(second);
            case "starts_with" -> String.valueOf(first).startsWith(String.valueOf(second));
            case "ends_with" -> String.valueOf(first).endsWith(String.valueOf(second));
            case "map" -> mapped(node(name, first), list(name, second));
            case "sort_by" ->
                list(name, first).stream().sorted(by(name, second)).toList();
            case "max_by" -> list(name, first).stream().max(by(name, second)).orElse(null);
            case "min_by" -> list(name, first).stream().min(by(name, second)).orElse(null);
            case "merge" -> {
                Map<Object, @Nullable Object> merged = new LinkedHashMap<>();
                given.forEach(each -> merged.putAll(object(name, each)));
                yield merged;
            }
            default -> given.stream().filter(Objects::nonNull).findFirst().orElse(null);
        };
    }

    private static List<@Nullable Object> mapped(QueryNode each, List<?> items) {
        List<@Nullable Object> made = new ArrayList<>();
        items.forEach(item -> made.add(each.of(item)));
        return made;
    }

    private static @Nullable Object length(@Nullable Object value) {
        return switch (value) {
            case String text -> (long) text.codePointCount(0, text.length());
            case List<?> list -> (long) list.size();
            case Map<?, ?> object -> (long) object.size();
            case null, default -> throw new QueryException("length does not take a " + type(value));
        };
    }

    private static String type(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String _ -> "string";
            case Number _ -> "number";
            case Boolean _ -> "boolean";
            case List<?> _ -> "array";
            default -> "object";
        };
    }

    private static @Nullable Object number(@Nullable Object value) {
        if (value instanceof Number) {
            return value;
        }
        try {
            String text = String.valueOf(value);
            return text.indexOf('.') < 0 ? (Object) Long.valueOf(text) : (Object) Double.valueOf(text);
        } catch (NumberFormatException none) {
            return null;
        }
    }

    private static Object sum(List<?> items) {
        double sum = 0;
        for (Object item : items) {
            if (!(item instanceof Number number)) {
                throw new QueryException("sum takes a list of numbers");
            }
            sum += number.doubleValue();
        }
        return sum == Math.rint(sum) ? (Object) (long) sum : (Object) sum;
    }

    private static Comparator<Object> by(String name, @Nullable Object expression) {
        QueryNode node = node(name, expression);
        return (first, second) -> order(name).compare(node.of(first), node.of(second));
    }

    private static Comparator<@Nullable Object> order(String name) {
        return (first, second) -> {
            if (first instanceof Number one && second instanceof Number other) {
                return Double.compare(one.doubleValue(), other.doubleValue());
            }
            if (first instanceof String one && second instanceof String other) {
                return one.compareTo(other);
            }
            throw new QueryException(name + " takes numbers or texts, all of one kind");
        };
    }

    private static QueryNode node(String name, @Nullable Object value) {
        if (value instanceof QueryNode node) {
            return node;
        }
        throw new QueryException(name + " takes an expression behind &, such as &timestamp");
    }

    private static List<?> list(String name, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new QueryException(name + " does not take a " + type(value));
    }

    private static Map<?, ?> object(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new QueryException(name + " does not take a " + type(value));
    }
}
