package dev.inboxd.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.reference.RequestContract;
import dev.inboxd.reference.ResponseContract;
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
    private final Held held;

    /** What the description is held against. */
    private enum Held {
        NOTHING,
        ANSWERS,
        BOTH
    }

    private HttpProbe(int port, List<String> headers, Held held) {
        this.port = port;
        this.headers = headers;
        this.held = held;
    }

    /** A probe of the server on that port of this machine; without a key when that is null. */
    public static HttpProbe of(int port, @Nullable String key) {
        return new HttpProbe(port, key == null ? List.of() : List.of("Authorization", "Bearer " + key), Held.NOTHING);
    }

    /**
     * The same probe of a whole server: an answer that {@code docs/api.yaml} does not describe fails the test, and so
     * does a request that was taken.
     */
    public HttpProbe described() {
        return new HttpProbe(port, headers, Held.BOTH);
    }

    /** The same probe that may send what is not described, as clients do; its answers are held still. */
    public HttpProbe sloppy() {
        return new HttpProbe(port, headers, Held.ANSWERS);
    }

    /** The same probe that takes any answer, for what is no call of the API. */
    public HttpProbe raw() {
        return new HttpProbe(port, headers, Held.NOTHING);
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
        return new HttpProbe(port, List.copyOf(more), held);
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
                .timeout(Duration.ofSeconds(90))
                .method(method, empty ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        if (!empty && !headers.contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.size(); i += 2) {
            request.header(headers.get(i), headers.get(i + 1));
        }
        try {
            HttpResponse<byte[]> response = client().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            Answer answer = new Answer(response.statusCode(), response.headers(), response.body());
            if (held != Held.NOTHING && !method.equals("HEAD") && !method.equals("OPTIONS")) {
                hold(method + " " + path, answer);
                if (held == Held.BOTH && answer.status < 300) {
                    hold(method + " " + path, request.build().headers(), empty ? null : json);
                }
            }
            return answer;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** What was taken is described, too. */
    private static void hold(String request, HttpHeaders sent, @Nullable String body) {
        String type = sent.firstValue("Content-Type").orElse("").replaceFirst(" *;.*", "");
        String fault = RequestContract.fault(
                new RequestContract.Sent(request, type, body == null ? null : body.getBytes(StandardCharsets.UTF_8)));
        assertThat(fault)
                .as(() -> "docs/api.yaml and " + request + ", which was taken with " + body)
                .isEmpty();
    }

    private static void hold(String request, Answer answer) {
        String type = answer.header("Content-Type");
        String fault = ResponseContract.fault(new ResponseContract.Answer(
                request, answer.status, type == null ? null : type.replaceFirst(" *;.*", ""), answer.body));
        assertThat(fault)
                .as(() -> "docs/api.yaml and " + request + ", answered " + answer.status + " " + answer.text())
                .isEmpty();
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
