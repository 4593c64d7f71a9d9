package dev.inboxd.observe.audit;

import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what an answer names. */
final class AnswerMembers {
    private AnswerMembers() {}

    /** The names of an object of the answer that are true; none when it has no such object. */
    static Set<String> flags(Response answer, String member) {
        Set<String> flags = new HashSet<>();
        if (object(answer).get(member) instanceof Map<?, ?> object) {
            object.forEach((name, value) -> {
                if (Boolean.TRUE.equals(value)) {
                    flags.add(String.valueOf(name));
                }
            });
        }
        return flags;
    }

    private static Map<?, ?> object(Response answer) {
        return answer.body() instanceof Response.Body.Bytes bytes
                        && bytes.content().length > 0
                        && Json.stored(new String(bytes.content(), StandardCharsets.UTF_8)) instanceof Map<?, ?> json
                ? json
                : Map.of();
    }

    /** A text of the answer's object; null when it has none by that name. */
    static @Nullable String text(Response answer, String member) {
        return object(answer).get(member) instanceof String text ? text : null;
    }
}
