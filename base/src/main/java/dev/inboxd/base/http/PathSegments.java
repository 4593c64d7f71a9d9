package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.syntax.PercentEncoding;
import java.util.ArrayList;
import java.util.List;

/**
 * The path of a request. It is split at its slashes first and decoded afterwards, so that an id may contain a slash.
 */
final class PathSegments {
    private PathSegments() {}

    /**
     * Splits and decodes a path. One with an empty segment is nobody's, and has no segments; only "/" has an empty one.
     *
     * @param raw the path as received, with its leading slash
     * @throws Problem {@code validation_error} for a broken escape
     */
    static List<String> of(String raw) {
        List<String> segments = new ArrayList<>(8);
        if (raw.equals("/")) {
            return List.of("");
        }
        int start = 1;
        while (start <= raw.length()) {
            int slash = raw.indexOf('/', start);
            int end = slash < 0 ? raw.length() : slash;
            if (end == start || raw.charAt(0) != '/') {
                return List.of();
            }
            String segment = PercentEncoding.decode(raw.substring(start, end), false);
            if (segment == null) {
                throw Problem.invalid(List.of(new Fault(
                        List.of(), "The path must be ASCII, with percent-encoded UTF-8 for everything else")));
            }
            segments.add(segment);
            start = end + 1;
        }
        return segments;
    }

    /** The answer to a path or method that no route has. */
    static Problem unknownRoute(String fix) {
        return Problem.of(ErrorCode.NOT_FOUND, "Route not found", fix);
    }
}
