package dev.inboxd.cli.mcp;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls of routes of the server that are no tools of {@code /mcp}. */
final class ServerRoutes {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final URI base;
    private final HttpClient http;

    /**
     * Routes.
     *
     * @param base the address of the server, with a slash at its end
     */
    ServerRoutes(URI base, HttpClient http) {
        this.base = base;
        this.http = http;
    }

    /**
     * The answer of a route.
     *
     * @param status of HTTP; 0 when there was no answer
     * @param members of its JSON
     * @param repetition whether the same call may succeed later
     */
    record Answer(int status, Map<?, ?> members, Repetition repetition) {
        /** Whether the call was carried out. */
        boolean isGood() {
            return status >= 200 && status < 300;
        }

        /** A member that is a string; empty when it is none. */
        String text(String name) {
            return members.get(name) instanceof String text ? text : "";
        }

        /** The error as a tool shows it: with a word on whether the same call may succeed later, and when. */
        String error() {
            Map<Object, @Nullable Object> shown = new LinkedHashMap<>(members);
            shown.putAll(repetition.members());
            return Json.text(shown);
        }
    }

    /** Posts a JSON object to a path, which begins without a slash. */
    Answer post(String path, JsonObject body, Map<String, String> headers) throws InterruptedException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                    .timeout(PATIENCE)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(body)));
            headers.forEach(request::header);
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(answer.statusCode(), members(answer.body()), new Repetition(answer));
        } catch (IllegalArgumentException wrong) { // a header field cannot have that value
            return new Answer(
                    400, Map.of("code", "validation_error", "message", "signupToken is no token"), Repetition.NEVER);
        } catch (IOException failed) {
            return new Answer(
                    0,
                    Map.of("message", "The server at " + base + " cannot be reached; INBOXD_URL names it"),
                    Repetition.ANY_TIME);
        }
    }

    private static Map<?, ?> members(String text) {
        try {
            return Json.stored(text) instanceof Map<?, ?> map ? map : Map.of("message", "The server is no inboxd");
        } catch (IllegalStateException noJson) {
            return Map.of("message", "The server is no inboxd");
        }
    }
}
