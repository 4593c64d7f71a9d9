package dev.inboxd.cli.mcp;

import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call that was refused may succeed when it is repeated (mcp.md §2).
 *
 * @param isPossible whether it may
 * @param seconds after which it may; null when nobody said so
 */
record Repetition(boolean isPossible, @Nullable Long seconds) {
    /** Of a fault that no repetition mends. */
    static final Repetition NEVER = new Repetition(false, null);
    /** Of a server that cannot be reached. */
    static final Repetition ANY_TIME = new Repetition(true, null);

    private static final Set<Integer> PASSING = Set.of(408, 429, 500, 502, 503, 504);

    /** As the status and the field Retry-After of an answer say (RFC 9110 §10.2.3). */
    Repetition(HttpResponse<?> answer) {
        this(PASSING.contains(answer.statusCode()), seconds(answer));
    }

    private static @Nullable Long seconds(HttpResponse<?> answer) {
        String value = answer.headers().firstValue("Retry-After").orElse("");
        return value.matches("[0-9]{1,9}") ? Long.valueOf(value) : null;
    }

    /** As errors show it. */
    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("retryable", isPossible);
        Long delay = seconds;
        if (isPossible && delay != null) {
            members.put("retryAfter", delay);
        }
        return members;
    }
}
