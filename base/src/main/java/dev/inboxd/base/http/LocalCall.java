package dev.inboxd.base.http;

import dev.inboxd.base.http.syntax.PercentEncoding;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of the API from within this process.
 *
 * @param method GET, POST, PATCH, DELETE
 * @param path percent-encoded, with its leading slash; {@link #path} makes one
 * @param query percent-encoded, or null
 * @param body the JSON of the body as text, or null
 * @param headers header fields by name, in lower case
 */
public record LocalCall(
        String method,
        String path,
        @Nullable String query,
        @Nullable String body,
        Map<String, String> headers) {
    /** A call without header fields. */
    public LocalCall(String method, String path, @Nullable String query, @Nullable String body) {
        this(method, path, query, body, Map.of());
    }

    /** A GET of a path from its segments, which are encoded here. */
    public static LocalCall get(String... segments) {
        return new LocalCall("GET", path(segments), null, null);
    }

    /** A POST with that body. */
    public static LocalCall post(JsonObject body, String... segments) {
        return new LocalCall("POST", path(segments), null, text(body));
    }

    /** A PATCH with that body. */
    public static LocalCall patch(JsonObject body, String... segments) {
        return new LocalCall("PATCH", path(segments), null, text(body));
    }

    /** A DELETE. */
    public static LocalCall delete(String... segments) {
        return new LocalCall("DELETE", path(segments), null, null);
    }

    /** A path below {@code /v0} from its segments, each of which is encoded whole. */
    public static String path(String... segments) {
        StringBuilder path = new StringBuilder("/v0");
        for (String segment : List.of(segments)) {
            path.append('/').append(PercentEncoding.encode(segment));
        }
        return path.toString();
    }

    /** One segment of a path or one word of a query, percent-encoded. */
    public static String encoded(String text) {
        return PercentEncoding.encode(text);
    }

    /** The same call with one more parameter in its query. */
    public LocalCall with(String name, String value) {
        String pair = PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value);
        return new LocalCall(method, path, query == null ? pair : query + "&" + pair, body, headers);
    }

    /** The same call with that header field, whose name is in lower case, and no other. */
    public LocalCall headed(String name, String value) {
        return new LocalCall(method, path, query, body, Map.of(name, value));
    }

    /** The path and query, as a client sends them. */
    public String target() {
        return query == null ? path : path + "?" + query;
    }

    private static String text(JsonObject body) {
        return new String(Json.write(body), StandardCharsets.UTF_8);
    }
}
