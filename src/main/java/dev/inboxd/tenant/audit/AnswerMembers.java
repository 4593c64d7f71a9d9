package dev.inboxd.tenant.audit;

import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what an answer names. */
final class AnswerMembers {
    private AnswerMembers() {}

    /** A text of the answer's object; null when it has none by that name. */
    static @Nullable String text(Response answer, String member) {
        return answer.body() instanceof Response.Body.Bytes bytes
                        && Json.stored(new String(bytes.content(), StandardCharsets.UTF_8)) instanceof Map<?, ?> json
                        && json.get(member) instanceof String text
                ? text
                : null;
    }
}
