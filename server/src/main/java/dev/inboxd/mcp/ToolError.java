package dev.inboxd.mcp;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mcp.result.ErrorText;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An error of a call, as a model reads it: that of the route, and whether the same call may succeed later (mcp.md §2).
 * It is within the bound of results, whatever the caller sent.
 */
final class ToolError {
    static final String RETRYABLE = "retryable";

    private static final String RETRY_AFTER = "retryAfter";

    private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);
    /** An installation that is gone stays gone. */
    private static final String MOVED = "moved";

    private static final String RACE = "race_condition";

    private ToolError() {}

    /**
     * The text of the error that a route answered with.
     *
     * @param mostTokens the bound
     */
    static String text(Response answer, byte[] content, int mostTokens) {
        Map<?, ?> error = read(content);
        Object code = error.get("code");
        boolean isPassing = RACE.equals(code) || (PASSING.contains(answer.status()) && !MOVED.equals(code));
        Map<Object, @Nullable Object> members = new LinkedHashMap<>(error);
        members.put(RETRYABLE, isPassing);
        if (isPassing) {
            members.put(RETRY_AFTER, seconds(answer.headers()));
        }
        return ErrorText.of(members, mostTokens);
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
