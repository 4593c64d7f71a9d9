package dev.inboxd.base.json;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
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
        switch (value) {
            case null -> json.writeNull();
            case Map<?, ?> map -> {
                json.writeStartObject();
                IndexNames.first(map).forEach((name, member) -> {
                    json.writeName((String) name);
                    write(json, member);
                });
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                list.forEach(item -> write(json, item));
                json.writeEndArray();
            }
            case String text -> json.writeString(text);
            case Boolean truth -> json.writeBoolean(truth);
            case Long whole -> json.writeNumber(whole);
            case Integer whole -> json.writeNumber(whole);
            case Double real -> json.writeNumber(number(real));
            default -> throw new IllegalArgumentException("no JSON form for " + value.getClass());
        }
    }

    private static String number(double real) {
        double size = Math.abs(real);
        if (real == 0) {
            return "0";
        }
        BigDecimal decimal = new BigDecimal(Double.toString(real)).stripTrailingZeros();
        if (size < LARGE && size >= SMALL) {
            return decimal.toPlainString();
        }
        String digits = decimal.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - decimal.scale();
        String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
        return (real < 0 ? "-" : "") + digits.charAt(0) + fraction + (exponent < 0 ? "e" : "e+") + exponent;
    }
}
