package dev.inboxd.mcp;

import dev.inboxd.base.http.DeferredResponse;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool that waits, without a thread. Its answer is server-sent events where the client takes them: what is
 * sent meanwhile tells how long it has waited, and shows when the client has gone, which ends the wait.
 */
final class ToolWait implements DeferredResponse {
    private static final byte[] COMMENT = ": waiting\n\n".getBytes(StandardCharsets.US_ASCII);

    private final DeferredResponse waiting;
    private final Function<Response, JsonObject> rendering;
    private final @Nullable Progress progress;
    private final boolean streams;

    /**
     * What a client wants to hear of meanwhile.
     *
     * @param token its name for the request, a String or a Long
     * @param total seconds that the wait may take, or null
     * @param began the {@link System#nanoTime} of its start
     */
    record Progress(Object token, @Nullable Long total, long began) {
        private JsonObject notification() {
            double seconds = (System.nanoTime() - began) / 1e9;
            return JsonObject.of("jsonrpc", "2.0")
                    .with("method", "notifications/progress")
                    .with(
                            "params",
                            JsonObject.of("progressToken", token)
                                    .with("progress", seconds)
                                    .with("total", total)
                                    .with("message", "No message yet"));
        }
    }

    /**
     * A wait.
     *
     * @param waiting what the route answers, when it does
     * @param rendering makes the message of JSON-RPC from that answer
     * @param progress null when the client did not ask for it
     * @param streams whether the client takes server-sent events
     */
    ToolWait(
            DeferredResponse waiting,
            Function<Response, JsonObject> rendering,
            @Nullable Progress progress,
            boolean streams) {
        this.waiting = waiting;
        this.rendering = rendering;
        this.progress = progress;
        this.streams = streams;
    }

    @Override
    public void park(Runnable resume) {
        waiting.park(resume);
    }

    @Override
    public Response poll() {
        Response answer = waiting.poll();
        if (answer.body() instanceof Response.Body.Deferred) {
            return Response.later(this);
        }
        JsonObject message = rendering.apply(answer);
        return streams ? Response.bytes(200, "text/event-stream", event(message)) : Response.ok(message);
    }

    @Override
    public void disconnected() {
        waiting.disconnected();
    }

    /** Ends the wait as if its time were over. */
    void cancel() {
        waiting.disconnected();
    }

    @Override
    public @Nullable Supplier<byte[]> pieces() {
        return !streams ? null : progress == null ? () -> COMMENT : () -> event(progress.notification());
    }

    private static byte[] event(JsonObject message) {
        return ("event: message\ndata: " + Json.text(message) + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
