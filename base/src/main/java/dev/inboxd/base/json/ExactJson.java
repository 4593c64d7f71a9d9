package dev.inboxd.base.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A value that belongs to a client: written with its null members, and its numbers as ECMAScript writes them
 * (ECMA-262, Number::toString), so that a program that parses and writes it again has the same bytes.
 *
 * @param value as {@link Json#parse} gives it
 */
public record ExactJson(@Nullable Object value) {
    /** From here on ECMAScript writes an exponent. */
    private static final double LARGE = 1e21;

    private static final double SMALL = 1e-6;

    static void write(JsonGenerator json, @Nullable Object value) {
        write(json, value, IndexNames::first);
    }

    /** @param order of the members of every object */
    static void write(JsonGenerator json, @Nullable Object value, UnaryOperator<Map<?, ?>> order) {
        switch (value) {
            case null -> json.writeNull();
            case Map<?, ?> map -> {
                json.writeStartObject();
                order.apply(map).forEach((name, member) -> {
                    json.writeName((String) name);
                    write(json, member, order);
                });
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                list.forEach(item -> write(json, item, order));
                json.writeEndArray();
            }
            case String text -> json.writeString(text);
            case Boolean truth -> json.writeBoolean(truth);
            case Long integer -> json.writeNumber(integer);
            case Integer integer -> json.writeNumber(integer);
            case Double real -> json.writeNumber(number(real));
            default -> throw new IllegalArgumentException("no JSON form for " + value.getClass());
        }
    }

    private static String number(double real) {
        double size = Math.abs(real);
        if (real == 0) {
            return "0";
        }
        BigDecimal decimal = shortest(real);
        if (size < LARGE && size >= SMALL) {
            return decimal.toPlainString();
        }
        String digits = decimal.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - decimal.scale();
        String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
        return (real < 0 ? "-" : "") + digits.charAt(0) + fraction + (exponent < 0 ? "e" : "e+") + exponent;
    }

    /** The shortest decimal that rounds to the number: Double.toString writes two digits where one is enough. */
    private static BigDecimal shortest(double real) {
        BigDecimal decimal = new BigDecimal(Double.toString(real)).stripTrailingZeros();
        BigDecimal digit = decimal.round(new MathContext(1));
        return digit.doubleValue() == real ? digit : decimal;
    }
}
