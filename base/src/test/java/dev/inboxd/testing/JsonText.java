package dev.inboxd.testing;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON (RFC 8259) that tests send and expect: members in the order of the call, without white space. A test of
 * malformed JSON or of its octets writes them itself.
 */
public final class JsonText {
    private JsonText() {}

    /** The text of an object; names and values in turn, each value as {@link Json#write} takes it, null as null. */
    public static String json(String name, @Nullable Object value, @Nullable Object... more) {
        return Json.text(object(name, value, more));
    }

    /** The text of an array. */
    public static String json(List<?> items) {
        return Json.text(items);
    }

    /** The members of an object without its braces: what is put into a larger text, or looked for in one. */
    public static String members(String name, @Nullable Object value, @Nullable Object... more) {
        String text = json(name, value, more);
        return text.substring(1, text.length() - 1);
    }

    /** An object as the value of a member. */
    public static JsonObject object(String name, @Nullable Object value, @Nullable Object... more) {
        JsonObject object = JsonObject.of(name, written(value));
        for (int i = 0; i < more.length; i += 2) {
            if (!(more[i] instanceof String next)) {
                throw new IllegalArgumentException("no name of a member: " + more[i]);
            }
            object.with(next, written(more[i + 1]));
        }
        return object;
    }

    /** A value that is JSON already. */
    public static RawJson rawJson(String text) {
        return new RawJson(text);
    }

    private static Object written(@Nullable Object value) {
        return value == null ? new RawJson("null") : value;
    }
}
