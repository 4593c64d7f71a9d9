package dev.inboxd.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.platform.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A client for tests: one base address, one key, and answers that are easy to look into. */
public final class HttpProbe {
    private static final Map<Integer, HttpClient> CLIENTS = new ConcurrentHashMap<>();

    private final int port;
    private final List<String> headers;

    private HttpProbe(int port, List<String> headers) {
        this.port = port;
        this.headers = headers;
    }

    /** A probe of the server on that port of this machine; without a key when that is null. */
    public static HttpProbe of(int port, @Nullable String key) {
        return new HttpProbe(port, key == null ? List.of() : List.of("Authorization", "Bearer " + key));
    }

    /** Lets the requests to that port end and hangs up; others may follow. */
    public static void leave(int port) {
        HttpClient client = CLIENTS.remove(port);
        if (client != null) {
            client.shutdown();
        }
    }

    private HttpClient client() {
        return CLIENTS.computeIfAbsent(
                port,
                _ -> HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build());
    }

    /** The same probe that sends one more header. */
    public HttpProbe with(String name, String value) {
        List<String> more = new ArrayList<>(headers);
        more.add(name);
        more.add(value);
        return new HttpProbe(port, List.copyOf(more));
    }

    public Answer get(String path) {
        return send("GET", path, null);
    }

    public Answer delete(String path) {
        return send("DELETE", path, null);
    }

    /** Sends a JSON text; an empty one sends no body at all. */
    public Answer post(String path, String json) {
        return send("POST", path, json);
    }

    public Answer patch(String path, String json) {
        return send("PATCH", path, json);
    }

    public Answer send(String method, String path, @Nullable String json) {
        boolean empty = json == null || json.isEmpty();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, empty ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        if (!empty && !headers.contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.size(); i += 2) {
            request.header(headers.get(i), headers.get(i + 1));
        }
        try {
            HttpResponse<byte[]> response = client().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** What came back. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Answer(int status, HttpHeaders headers, byte[] body) {
        /** Asserts the status, showing the body when it is another. */
        public Answer is(int expected) {
            assertThat(status).as(this::text).isEqualTo(expected);
            return this;
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        public @Nullable String header(String name) {
            return headers.firstValue(name).orElse(null);
        }

        /**
         * A value of the JSON body, or null when it is not there.
         *
         * @param path member names and list positions with dots between them: {@code errors.0.path.1}; empty for all
         */
        public @Nullable Object at(String path) {
            Object value = Json.parse(body);
            for (String step : path.isEmpty() ? new String[0] : path.split("\\.", -1)) {
                value = switch (value) {
                    case Map<?, ?> object -> object.get(step);
                    case List<?> list when Integer.parseInt(step) < list.size() -> list.get(Integer.parseInt(step));
                    case null, default -> null;
                };
            }
            return value;
        }

        /** A text of the JSON body; fails when it is not there. */
        public String text(String path) {
            assertThat(at(path)).as(this::text).isInstanceOf(String.class);
            return String.valueOf(at(path));
        }

        /** A list of the JSON body; fails when it is not there. */
        public List<?> list(String path) {
            assertThat(at(path)).as(this::text).isInstanceOf(List.class);
            return at(path) instanceof List<?> list ? list : List.of();
        }
    }
}
