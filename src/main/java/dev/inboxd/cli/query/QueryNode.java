package dev.inboxd.cli.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A part of an expression: what it makes of a value. A projection applies what follows it to each item. */
interface QueryNode {
    @Nullable
    Object of(@Nullable Object value);

    /** A member of an object. */
    static QueryNode member(String name) {
        return value -> value instanceof Map<?, ?> object ? object.get(name) : null;
    }

    /** An item of a list; negative numbers count from the end. */
    static QueryNode index(long number) {
        return value -> {
            if (!(value instanceof List<?> list)) {
                return null;
            }
            long at = number < 0 ? list.size() + number : number;
            return at >= 0 && at < list.size() ? list.get((int) at) : null;
        };
    }

    /** One after the other. */
    static QueryNode chain(QueryNode first, QueryNode second) {
        return value -> second.of(first.of(value));
    }

    /** What follows, for each item of what an earlier part makes a list of; what becomes null is left out. */
    static QueryNode projection(QueryNode list, QueryNode each) {
        return value -> {
            if (!(list.of(value) instanceof List<?> items)) {
                return null;
            }
            List<Object> made = new ArrayList<>();
            for (Object item : items) {
                Object one = each.of(item);
                if (one != null) {
                    made.add(one);
                }
            }
            return made;
        };
    }

    /** The values of an object. */
    static QueryNode values() {
        return value -> value instanceof Map<?, ?> object ? new ArrayList<>(object.values()) : null;
    }

    /** A list whose items that are lists are replaced by their items. */
    static QueryNode flat() {
        return value -> {
            if (!(value instanceof List<?> items)) {
                return null;
            }
            List<@Nullable Object> made = new ArrayList<>();
            for (Object item : items) {
                if (item instanceof List<?> inner) {
                    made.addAll(inner);
                } else {
                    made.add(item);
                }
            }
            return made;
        };
    }

    /** The items for which a condition is true. */
    static QueryNode filter(QueryNode condition) {
        return value -> {
            if (!(value instanceof List<?> items)) {
                return null;
            }
            List<@Nullable Object> made = new ArrayList<>();
            for (Object item : items) {
                if (isTrue(condition.of(item))) {
                    made.add(item);
                }
            }
            return made;
        };
    }

    /**
     * A part of a list.
     *
     * @param bounds the first, the one behind the last, and the step, each of which may be null
     */
    static QueryNode slice(List<@Nullable Long> bounds) {
        return value -> {
            if (!(value instanceof List<?> items)) {
                return null;
            }
            long step = Objects.requireNonNullElse(bounds.get(2), 1L);
            int size = items.size();
            long from = step > 0 ? 0 : size - 1L;
            long to = step > 0 ? size : -1;
            Long first = bounds.get(0);
            Long last = bounds.get(1);
            from = first == null ? from : bounded(first, size, step);
            to = last == null ? to : bounded(last, size, step);
            List<@Nullable Object> made = new ArrayList<>();
            for (long i = from; step > 0 ? i < to : i > to; i += step) {
                made.add(items.get((int) i));
            }
            return made;
        };
    }

    private static long bounded(long given, int size, long step) {
        long at = given < 0 ? Math.max(given + size, -1) : given;
        return step > 0 ? Math.clamp(at, 0, size) : Math.clamp(at, -1, size - 1L);
    }

    /** A list of what each part makes; null of null. */
    static QueryNode list(List<QueryNode> parts) {
        return value -> {
            if (value == null) {
                return null;
            }
            List<@Nullable Object> made = new ArrayList<>();
            parts.forEach(part -> made.add(part.of(value)));
            return made;
        };
    }

    /** An object of what each part makes; null of null. */
    static QueryNode object(Map<String, QueryNode> parts) {
        return value -> {
            if (value == null) {
                return null;
            }
            Map<String, @Nullable Object> made = new LinkedHashMap<>();
            parts.forEach((name, part) -> made.put(name, part.of(value)));
            return made;
        };
    }

    /** A comparison, by its sign; those of order are null unless both sides are numbers. */
    static QueryNode comparison(String sign, QueryNode left, QueryNode right) {
        return value -> {
            Object first = left.of(value);
            Object second = right.of(value);
            if (sign.equals("==") || sign.equals("!=")) {
                return isSame(first, second) == sign.equals("==");
            }
            if (!(first instanceof Number one && second instanceof Number other)) {
                return null;
            }
            int order = Double.compare(one.doubleValue(), other.doubleValue());
            return switch (sign) {
                case "<" -> order < 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                default -> order >= 0;
            };
        };
    }

    /** Both sides of {@code &&} or {@code ||}: the first that decides. */
    static QueryNode either(boolean ends, QueryNode left, QueryNode right) {
        return value -> {
            Object first = left.of(value);
            return isTrue(first) == ends ? first : right.of(value);
        };
    }

    /** A call of a function. */
    static QueryNode call(Function<List<@Nullable Object>, @Nullable Object> function, List<QueryNode> arguments) {
        return value -> {
            List<@Nullable Object> given = new ArrayList<>();
            arguments.forEach(argument -> given.add(argument.of(value)));
            return function.apply(given);
        };
    }

    /** Whether a value counts as true: false, null and what is empty do not. */
    static boolean isTrue(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boolean truth -> truth;
            case String text -> !text.isEmpty();
            case List<?> list -> !list.isEmpty();
            case Map<?, ?> object -> !object.isEmpty();
            default -> true;
        };
    }

    private static boolean isSame(@Nullable Object first, @Nullable Object second) {
        return (first instanceof Number one && second instanceof Number other)
                ? Double.compare(one.doubleValue(), other.doubleValue()) == 0
                : Objects.equals(first, second);
    }
}
