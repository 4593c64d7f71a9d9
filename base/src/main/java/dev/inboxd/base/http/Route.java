package dev.inboxd.base.http;

import dev.inboxd.base.access.Access;
import dev.inboxd.base.access.Role;
import java.util.List;

/**
 * A route.
 *
 * @param method GET, POST, PUT, PATCH, DELETE
 * @param level where it is mounted
 * @param template the whole path with its parameters in braces, such as {@code /v0/inboxes/{inbox_id}}
 * @param access permission that it requires of the caller
 * @param limit largest body
 * @param handler answers its requests
 */
public record Route(String method, Level level, String template, Access access, BodyLimit limit, Handler handler) {
    /** The names of the template's parameters, in order. */
    List<String> parameters() {
        return PathSegments.of(template).stream()
                .filter(Route::isParameter)
                .map(segment -> segment.substring(1, segment.length() - 1))
                .toList();
    }

    /** The role that it takes of a person. */
    Role role() {
        return Role.needed(method, template, access);
    }

    /** Whether it opens WebSockets. */
    boolean isSocket() {
        return handler instanceof WebSocketRoute;
    }

    static boolean isParameter(String segment) {
        return segment.startsWith("{");
    }
}
