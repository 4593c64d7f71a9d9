package dev.inboxd.mcp.schema;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import java.nio.charset.StandardCharsets;

/** Lists and objects that a model wrote as JSON in a string, where the schema has the list or the object itself. */
public final class WrittenJson {
    private WrittenJson() {}

    /** The list or the object in a string; any other value, and any other string, as it is. */
    public static Object of(Object value) {
        if (!(value instanceof String text)) {
            return value;
        }
        String json = text.strip();
        if (!json.startsWith("[") && !json.startsWith("{")) {
            return value;
        }
        try {
            Object read = Json.parse(json.getBytes(StandardCharsets.UTF_8));
            return read == null ? value : read;
        } catch (Problem noJson) {
            return value;
        }
    }
}
