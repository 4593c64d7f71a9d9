package dev.inboxd.base.json;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;

/** Builds plain values from JSON text, and tracks the path of each value for the faults. */
final class JsonReader {
    private static final int LONGEST_SHOWN = 128;

    private static final int SHOWN = 12;

    private final JsonParser parser;
    private final Faults faults = new Faults();
    private final List<Object> path = new ArrayList<>();

    private JsonReader(JsonParser parser) {
        this.parser = parser;
    }

    static @Nullable Object read(byte[] bytes) {
        // Jackson would guess UTF-16 and UTF-32 and skip a byte order mark; RFC 8259 §8.1 requires plain UTF-8.
        String text = utf8(bytes);
        try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), text)) {
            JsonReader reader = new JsonReader(parser);
            @Nullable Object value = reader.value(parser.nextToken());
            if (parser.nextToken() != null) {
                throw rootFault("The body must be one JSON value with nothing behind it, and goes on"
                        + near(text, parser.currentTokenLocation()));
            }
            reader.faults.check();
            return value;
        } catch (StreamConstraintsException tooMuch) {
            throw rootFault("The JSON is too deep, too long or has too many members; it may be nested " + Json.DEPTH
                    + " levels deep");
        } catch (JacksonException broken) {
            throw rootFault("The body is not valid JSON" + near(text, broken.getLocation()));
        }
    }

    /** Where it is, and what stands there: people do not count columns. */
    private static String near(String text, TokenStreamLocation place) {
        int at = Math.clamp(place.getCharOffset(), 0, text.length());
        String where = " at line " + place.getLineNr() + ", column " + place.getColumnNr();
        if (text.substring(at).isBlank()) {
            return where + ", where it ends: something is left open";
        }
        String around = text.substring(Math.max(0, at - SHOWN), Math.min(text.length(), at + SHOWN));
        // A character beyond 16 bits may be cut in half; half of one cannot be written.
        String excerpt = new String(around.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return where + ", near: " + excerpt.replaceAll("\\p{Cntrl}+", " ").strip();
    }

    static @Nullable Object stored(String text) {
        try (JsonParser parser = Json.STORED.createParser(ObjectReadContext.empty(), text)) {
            return plain(parser, parser.nextToken());
        } catch (JacksonException broken) {
            throw new IllegalStateException("stored JSON cannot be read", broken);
        }
    }

    private static @Nullable Object plain(JsonParser parser, @Nullable JsonToken token) {
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    members.put(name, plain(parser, parser.nextToken()));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    items.add(plain(parser, next));
                }
                yield items;
            }
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? (Object) parser.getDoubleValue()
                        : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case null, default -> throw new IllegalStateException("stored JSON cannot be read");
        };
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw rootFault("The body must be UTF-8");
        }
    }

    private @Nullable Object value(@Nullable JsonToken token) {
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> list();
            case VALUE_STRING -> text(parser.getString());
            case VALUE_NUMBER_INT -> integer();
            case VALUE_NUMBER_FLOAT -> real();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case null, default -> throw rootFault("The body has white space and no JSON");
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            path.add(printable(name));
            text(name);
            if (members.containsKey(name)) {
                fault("appears twice");
            }
            members.put(name, value(parser.nextToken()));
            path.removeLast();
        }
        return members;
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            path.add(items.size());
            items.add(value(token));
            path.removeLast();
        }
        return items;
    }

    private String text(String text) {
        int forbidden = forbidden(text);
        if (forbidden >= 0) {
            fault(
                    Character.isSurrogate(text.charAt(forbidden))
                            ? "contains half of a surrogate pair"
                            : "contains a character that is not allowed: U+0000, U+FFFE or U+FFFF");
        }
        return text;
    }

    /**
     * The index of the first character that is refused: U+0000 and half surrogate pairs, which PostgreSQL cannot
     * store, and the noncharacters U+FFFE and U+FFFF (Unicode §23.7); -1 when there is none.
     */
    private static int forbidden(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || c >= 0xFFFE) {
                return i;
            }
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    /** A member name in a form that is safe to repeat in an answer. */
    private static String printable(String name) {
        int end = forbidden(name) >= 0 ? forbidden(name) : name.length();
        if (end > LONGEST_SHOWN) {
            end = Character.isHighSurrogate(name.charAt(LONGEST_SHOWN - 1)) ? LONGEST_SHOWN - 1 : LONGEST_SHOWN;
        }
        return end == name.length() ? name : name.substring(0, end) + "…";
    }

    private @Nullable Object integer() {
        return switch (parser.getNumberType()) {
            case INT, LONG -> parser.getLongValue();
            case null, default -> {
                fault("is too large for a whole number of 64 bits");
                yield null;
            }
        };
    }

    private double real() {
        double number = parser.getDoubleValue();
        if (!Double.isFinite(number)) {
            fault("is too large for a number");
        }
        return number;
    }

    private void fault(String message) {
        faults.add(new Fault(path, path.isEmpty() ? "The value " + message : path.getLast() + " " + message));
    }

    private static Problem rootFault(String message) {
        return Problem.invalid(List.of(new Fault(List.of(), message)));
    }

    /** The bytes without a byte order mark, which some programs write: RFC 8259 §8.1 lets a reader ignore it. */
    static byte[] withoutMark(byte[] bytes) {
        boolean isMarked =
                bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
        return isMarked ? Arrays.copyOfRange(bytes, 3, bytes.length) : bytes;
    }
}
