package dev.inboxd.base.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.util.ByteArrayBuilder;

/** The form of a JSON value in which the members of every object are sorted by name: equal for equal values. */
public final class CanonicalJson {
    /** The largest whole number up to which every one is a double (RFC 8785 §3.2.2.3, RFC 7493 §2.2). */
    private static final long EXACT = 1L << 53;

    private CanonicalJson() {}

    /**
     * The text of RFC 8785 (JSON Canonicalization Scheme), which every implementation writes alike: names in the order
     * of their UTF-16 units, null members kept, numbers as ECMAScript writes doubles.
     *
     * @param value as {@link Json#parse} gives it, also with Integer
     * @throws IllegalArgumentException for a value of another class, and for a number that is not finite
     */
    public static String text(@Nullable Object value) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            ExactJson.write(json, interoperable(value), UnaryOperator.identity());
        }
        return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
    }

    /** An object without some of its members, in this form. */
    static String text(Map<String, @Nullable Object> members, String... without) {
        Map<String, @Nullable Object> remaining = new TreeMap<>(members);
        remaining.keySet().removeAll(List.of(without));
        return Json.text(of(remaining));
    }

    /** The value in this form. */
    static @Nullable Object of(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            Map<String, @Nullable Object> ordered = new TreeMap<>();
            object.forEach((name, member) -> ordered.put((String) name, of(member)));
            return ordered;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(of(item)));
            return items;
        }
        return value;
    }

    /** The value in this form, with every number as one that a double can hold. */
    private static @Nullable Object interoperable(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> object -> {
                Map<String, @Nullable Object> ordered = new TreeMap<>();
                object.forEach((name, member) -> ordered.put((String) name, interoperable(member)));
                yield ordered;
            }
            case List<?> list -> {
                List<@Nullable Object> items = new ArrayList<>();
                list.forEach(item -> items.add(interoperable(item)));
                yield items;
            }
            case Long integer when integer > EXACT || integer < -EXACT -> (double) integer;
            case Double real
            when !Double.isFinite(real) -> throw new IllegalArgumentException("no JSON form for " + real);
            case null, default -> value;
        };
    }
}
