package dev.inboxd.base.http;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the header fields of a request say about its body. */
final class RequestBody {
    private RequestBody() {}

    /** Whether this Content-Type names something else than JSON; no type names nothing. */
    static boolean isOtherThanJson(@Nullable String type) {
        if (type == null) {
            return false;
        }
        int semicolon = type.indexOf(';');
        String essence = semicolon < 0 ? type : type.substring(0, semicolon);
        return !essence.strip().equalsIgnoreCase("application/json");
    }

    /** The answer to a body whose Content-Type is the reason why it is not taken. */
    static Problem badType(String message) {
        return badHeader("content-type", message);
    }

    /** The answer to a field that is not taken; its name is in lower case (ruling 21). */
    static Problem badHeader(String name, String message) {
        return Problem.invalid(List.of(new Fault(List.of("headers", name), message)));
    }
}
