package dev.inboxd.base.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request that this program makes of one of its own routes, in the name of the caller of another request. It passes
 * the same checks as one that comes by a connection.
 *
 * @param route the route
 * @param path the values of the parameters of its template, decoded
 * @param query the parameters of the query, by name
 * @param headers header fields by name, in lower case
 * @param body the members of the body, as {@link dev.inboxd.base.json.Json#parse} gives them
 */
public record RouteCall(
        Route route,
        Map<String, String> path,
        Map<String, String> query,
        Map<String, String> headers,
        Map<String, @Nullable Object> body) {

    /** The segments of its path, decoded. */
    List<String> segments() {
        List<String> segments = new ArrayList<>();
        for (String segment : PathSegments.of(route.template())) {
            segments.add(Route.isParameter(segment) ? value(segment) : segment);
        }
        return segments;
    }

    private String value(String parameter) {
        String value = path.get(parameter.substring(1, parameter.length() - 1));
        if (value == null) {
            throw new IllegalArgumentException(route.template() + " without " + parameter);
        }
        return value;
    }

    /** The query as a client would send it; null when it is empty. */
    @Nullable
    String rawQuery() {
        return query.isEmpty()
                ? null
                : query.entrySet().stream()
                        .map(entry ->
                                entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
    }
}
