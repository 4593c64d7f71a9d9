package dev.inboxd.mcp;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An error of a call, as a model reads it: that of the route, and whether the same call may succeed later (mcp.md §2).
 * It is short, whatever the caller sent.
 */
final class ToolError {
    static final String RETRYABLE = "retryable";

    /** The most characters of a text, and the most items of a list. */
    private static final int LONGEST = 1_000;

    private static final int MOST = 20;

    private static final String RETRY_AFTER = "retryAfter";
    private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);
    /** An installation that is gone stays gone. */
    private static final String MOVED = "moved";

    private static final String RACE = "race_condition";

    private ToolError() {}

    /** The text of the error that a route answered with. */
    static String text(Response answer, byte[] content) {
        Map<?, ?> error = read(content);
        Object code = error.get("code");
        boolean isPassing = RACE.equals(code) || (PASSING.contains(answer.status()) && !MOVED.equals(code));
        Map<Object, @Nullable Object> shown = new LinkedHashMap<>();
        error.forEach((name, value) -> shown.put(name, cut(value)));
        shown.put(RETRYABLE, isPassing);
        if (isPassing) {
            shown.put(RETRY_AFTER, seconds(answer.headers()));
        }
        return Json.text(shown);
    }

    /** The text of an error that this package finds by itself, which no repetition mends. */
    static String text(String message) {
        return Json.text(JsonObject.of("name", "ValidationError")
                .with("code", "validation_error")
                .with("message", message)
                .with(RETRYABLE, false));
    }

    private static Map<?, ?> read(byte[] content) {
        try {
            return Json.stored(new String(content, StandardCharsets.UTF_8)) instanceof Map<?, ?> error
                    ? error
                    : Map.of("message", "The call was refused");
        } catch (IllegalStateException noJson) {
            return Map.of("message", "The call was refused");
        }
    }

    private static @Nullable Object cut(@Nullable Object value) {
        return switch (value) {
            case String text
            when text.length() > LONGEST ->
                text.substring(0, Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST) + "...";
            case List<?> list -> list.stream().limit(MOST).map(ToolError::cut).toList();
            case Map<?, ?> map -> {
                Map<Object, @Nullable Object> shown = new LinkedHashMap<>();
                map.forEach((name, member) -> shown.put(name, cut(member)));
                yield shown;
            }
            case null, default -> value;
        };
    }

    /** The seconds of Retry-After; null where it is missing. */
    private static @Nullable Long seconds(List<String> headers) {
        for (int i = 0; i + 1 < headers.size(); i += 2) {
            if (headers.get(i).equalsIgnoreCase(Problem.RETRY_AFTER)
                    && headers.get(i + 1).matches("[0-9]{1,9}")) {
                return Long.valueOf(headers.get(i + 1));
            }
        }
        return null;
    }
}
