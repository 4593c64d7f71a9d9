package dev.inboxd.cli;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Passes messages of the Model Context Protocol on: a line of standard input is a request over HTTP, and what comes
 * back is lines of standard output. Requests run side by side. A cancellation ends the request over HTTP, which cancels
 * it at the server too.
 */
final class StdioBridge {
    private static final int INTERNAL_ERROR = -32_603;
    private static final int PARSE_ERROR = -32_700;
    private static final String VERSION = "MCP-Protocol-Version";
    private static final String VERSION_IN_META = "io.modelcontextprotocol/protocolVersion";
    /** How long requests may still run when the client says no more. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final URI server;
    private final String key;
    private final PrintStream out;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final Map<Object, Thread> running = new ConcurrentHashMap<>();
    private volatile @Nullable String greeted;

    /**
     * A bridge.
     *
     * @param server the address of the protocol there
     * @param out takes the answers, and nothing else may write there
     */
    StdioBridge(URI server, String key, PrintStream out) {
        this.server = server;
        this.key = key;
        this.out = out;
    }

    /** Passes messages on until the input ends. */
    void run(InputStream in) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    accept(line);
                }
            }
            long end = System.nanoTime() + FAREWELL.toNanos();
            for (Thread thread : running.values()) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (IOException closed) {
            // as if the input had ended
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        running.values().forEach(Thread::interrupt);
    }

    private void accept(String line) throws InterruptedException {
        Object json;
        try {
            json = Json.parse(line.getBytes(StandardCharsets.UTF_8));
        } catch (Problem malformed) {
            refuse(null, PARSE_ERROR, "Parse error: " + malformed.message());
            return;
        }
        Map<?, ?> message = json instanceof Map<?, ?> map ? map : Map.of();
        Map<?, ?> params = message.get("params") instanceof Map<?, ?> map ? map : Map.of();
        if ("notifications/cancelled".equals(message.get("method"))) {
            Thread cancelled = params.get("requestId") == null ? null : running.remove(params.get("requestId"));
            if (cancelled != null) {
                cancelled.interrupt();
            }
            return;
        }
        Object id = message.get("id");
        Thread thread = Thread.ofVirtual().unstarted(() -> {
            pass(line, message, params, id);
            if (id != null) {
                running.remove(id, Thread.currentThread());
            }
        });
        if (id != null) {
            running.put(id, thread);
        }
        thread.start();
        if (id == null || "initialize".equals(message.get("method"))) {
            thread.join(); // in its turn: what follows depends on it
        }
    }

    private void pass(String line, Map<?, ?> message, Map<?, ?> params, @Nullable Object id) {
        try {
            HttpResponse<InputStream> answer =
                    http.send(request(line, message, params), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                boolean isStream =
                        answer.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
                if (isStream) {
                    events(body);
                } else {
                    one(new String(body.readAllBytes(), StandardCharsets.UTF_8), message, id);
                }
            }
        } catch (IOException failed) {
            if (id != null && running.containsKey(id)) { // it was not cancelled
                refuse(id, INTERNAL_ERROR, "The server at " + server + " cannot be reached; INBOXD_URL names it");
            }
        } catch (InterruptedException cancelled) {
            // nobody waits for the answer any more
        }
    }

    private HttpRequest request(String line, Map<?, ?> message, Map<?, ?> params) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server)
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(line));
        Object version = params.get("_meta") instanceof Map<?, ?> meta ? meta.get(VERSION_IN_META) : null;
        String spoken = version == null ? greeted : version.toString();
        if (spoken != null && !"initialize".equals(message.get("method"))) {
            request.header(VERSION, plain(spoken));
        }
        if (version != null) {
            request.header("Mcp-Method", plain(String.valueOf(message.get("method"))));
            Object name = params.get("name") == null ? params.get("uri") : params.get("name");
            if (name != null) {
                request.header("Mcp-Name", plain(name.toString()));
            }
        }
        return request.build();
    }

    /** A header value; what a field cannot have is in base64, between the marks of the protocol. */
    private static String plain(String value) {
        boolean isPlain = !value.isEmpty()
                && value.equals(value.strip())
                && value.chars().allMatch(c -> c >= ' ' && c < 0x7F)
                && !value.startsWith("=?base64?");
        return isPlain
                ? value
                : "=?base64?" + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)) + "?=";
    }

    private void events(InputStream body) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("data:")) {
                print(line.substring(5).strip());
            }
        }
    }

    /** An answer that is JSON: of the protocol, or an error of the interface for a key that is refused. */
    private void one(String text, Map<?, ?> message, @Nullable Object id) {
        if (id == null) {
            return;
        }
        Object json = null;
        try {
            json = Json.stored(text);
        } catch (IllegalStateException notJson) {
            // not of this server: something between says something else
        }
        Map<?, ?> answer = json instanceof Map<?, ?> map ? map : Map.of();
        if (answer.containsKey("jsonrpc")) {
            if (answer.get("result") instanceof Map<?, ?> result && "initialize".equals(message.get("method"))) {
                greeted = Objects.toString(result.get("protocolVersion"), null);
            }
            print(text);
        } else {
            Object said =
                    answer.get("message") == null ? "The server does not speak the protocol" : answer.get("message");
            refuse(id, INTERNAL_ERROR, said + (answer.get("fix") == null ? "" : ". " + answer.get("fix")));
        }
    }

    private void refuse(@Nullable Object id, int code, String text) {
        print(Json.text(JsonObject.of("jsonrpc", "2.0")
                .with("id", id)
                .with("error", JsonObject.of("code", code).with("message", text))));
    }

    private void print(String message) {
        synchronized (out) {
            out.writeBytes((message + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }
}
