package dev.inboxd.cli.mcp;

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
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Passes messages of the Model Context Protocol on: a line of standard input is a request over HTTP, and what comes
 * back is lines of standard output. Requests run side by side. A cancellation ends the request over HTTP, which cancels
 * it at the server too. Without a key it has the {@link AgentTools} alone, until one of them has given it a key.
 */
final class StdioBridge {
    private static final int INTERNAL_ERROR = -32_603;
    private static final int PARSE_ERROR = -32_700;
    private static final int METHOD_NOT_FOUND = -32_601;
    private static final int INVALID_PARAMS = -32_602;
    private static final String VERSION = "MCP-Protocol-Version";
    private static final String VERSION_IN_META = "io.modelcontextprotocol/protocolVersion";
    /** How long requests may still run when the client says no more. */
    private static final Duration DRAIN_TIME = Duration.ofSeconds(5);

    private final URI server;
    private final @Nullable String key;
    private final PrintStream out;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final AgentTools agent;
    private final Map<Object, Thread> running = new ConcurrentHashMap<>();
    private volatile @Nullable String greeted;

    /**
     * A bridge.
     *
     * @param server the address of the protocol there
     * @param key the API key; null for a program that has none yet
     * @param out takes the answers, and nothing else may write there
     */
    StdioBridge(URI server, @Nullable String key, PrintStream out) {
        this.server = server;
        this.key = key;
        this.out = out;
        this.agent = new AgentTools(new ServerRoutes(server.resolve("."), http));
    }

    /** Passes messages on until the input ends. */
    void run(InputStream in) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    accept(line);
                }
            }
            long end = System.nanoTime() + DRAIN_TIME.toNanos();
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
            if (key != null || !isAnswered(message, params, id)) {
                pass(line, message, params, id);
            }
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

    /** Answers what the program without a key answers by itself; false for what the server is asked. */
    private boolean isAnswered(Map<?, ?> message, Map<?, ?> params, @Nullable Object id) {
        Object version = version(params);
        Object method = message.get("method");
        boolean isCall = "tools/call".equals(method);
        if (isCall && AgentTools.has(params.get("name")) && id != null) {
            own(id, String.valueOf(params.get("name")), params, version);
            return true;
        }
        if (agent.account() != null) {
            return false;
        }
        JsonObject result = LocalMethods.result(String.valueOf(method), params, version, agent.definitions());
        if ("initialize".equals(method)) {
            greeted = LocalMethods.revision(params);
        }
        if (id != null && result != null) {
            answer(id, result);
        } else if (id != null) {
            refuse(
                    id,
                    isCall ? INVALID_PARAMS : METHOD_NOT_FOUND,
                    isCall ? "There is no such tool before sign_up. Call sign_up first" : "Method not found");
        }
        return true;
    }

    private void own(Object id, String tool, Map<?, ?> params, @Nullable Object version) {
        Map<?, ?> arguments = params.get("arguments") instanceof Map<?, ?> map ? map : Map.of();
        int before = agent.definitions().size();
        try {
            answer(id, LocalMethods.completed(agent.call(tool, arguments), version));
        } catch (InterruptedException cancelled) {
            return; // nobody waits for the answer any more
        }
        if (version == null && agent.definitions().size() != before) {
            print(Json.text(JsonObject.of("jsonrpc", "2.0").with("method", "notifications/tools/list_changed")));
        }
    }

    private void answer(Object id, JsonObject result) {
        print(Json.text(JsonObject.of("jsonrpc", "2.0").with("id", id).with("result", result)));
    }

    private static @Nullable Object version(Map<?, ?> params) {
        return params.get("_meta") instanceof Map<?, ?> meta ? meta.get(VERSION_IN_META) : null;
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
                    String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                    relay(text, message, id, new Repetition(answer));
                }
            }
        } catch (IOException failed) {
            if (id != null && running.containsKey(id)) { // it was not cancelled
                String text = "The server at " + server + " cannot be reached; INBOXD_URL names it";
                refuse(id, INTERNAL_ERROR, text, Repetition.ANY_TIME);
            }
        } catch (InterruptedException cancelled) {
            // nobody waits for the answer any more
        }
    }

    private HttpRequest request(String line, Map<?, ?> message, Map<?, ?> params) {
        AgentTools.Account account = agent.account();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        account == null ? server : McpCommand.ofInbox(server, account.inbox()))
                .header("Authorization", "Bearer " + (account == null ? key : account.key()))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(line));
        Object version = version(params);
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
    private void relay(String text, Map<?, ?> message, @Nullable Object id, Repetition repetition) {
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
            print("tools/list".equals(message.get("method")) && agent.account() != null ? withOwn(answer) : text);
        } else {
            Object said =
                    answer.get("message") == null ? "The server does not speak the protocol" : answer.get("message");
            String fix = answer.get("fix") == null ? "" : ". " + answer.get("fix");
            refuse(id, INTERNAL_ERROR, said + fix, repetition);
        }
    }

    /** The list of the server's tools, with those of this program that still have a use. */
    private String withOwn(Map<?, ?> answer) {
        Map<Object, Object> result =
                new LinkedHashMap<>(answer.get("result") instanceof Map<?, ?> map ? map : Map.of());
        List<Object> tools = new ArrayList<>(result.get("tools") instanceof List<?> list ? list : List.of());
        tools.addAll(agent.definitions());
        result.put("tools", tools);
        Map<Object, Object> more = new LinkedHashMap<>(answer);
        more.put("result", result);
        return Json.text(more);
    }

    private void refuse(@Nullable Object id, int code, String text) {
        refuse(id, code, text, Repetition.NEVER);
    }

    private void refuse(@Nullable Object id, int code, String text, Repetition repetition) {
        JsonObject error = JsonObject.of("code", code).with("message", text).with("data", repetition.members());
        print(Json.text(JsonObject.of("jsonrpc", "2.0").with("id", id).with("error", error)));
    }

    private void print(String message) {
        synchronized (out) {
            out.writeBytes((message + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }
}
