package dev.inboxd.console;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.WebSocketConnection;
import dev.inboxd.base.http.WebSocketHandler;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import java.util.function.Supplier;

/**
 * The socket of an open page. It tells the page of every event after its cursor, without the content: the page reads
 * itself again. A page that comes back gives the last cursor that it was told, so it misses nothing.
 */
final class LiveSocket implements WebSocketHandler {
    private static final String PATIENCE = "20";

    private final LocalCalls calls;
    private final Supplier<Caller> caller;
    private volatile String cursor;
    private volatile boolean over;

    /** @param caller the visitor as it is now; it throws {@code unauthorized} when the session has ended */
    LiveSocket(LocalCalls calls, Supplier<Caller> caller, String cursor) {
        this.calls = calls;
        this.caller = caller;
        this.cursor = cursor;
    }

    @Override
    public void opened(WebSocketConnection socket) {
        Thread.ofVirtual().name("console").start(() -> run(socket));
    }

    private void run(WebSocketConnection socket) {
        try {
            while (!over) {
                LocalCall call = LocalCall.get("events")
                        .with("cursor", cursor)
                        .with("wait", PATIENCE)
                        .with("limit", "50");
                Response answer = calls.await(caller, call);
                JsonTree page = answer.body() instanceof Response.Body.Bytes bytes
                        ? JsonTree.of(bytes.content())
                        : JsonTree.EMPTY;
                cursor = page.text("next_cursor");
                if (!socket.awaitRoom() || !send(socket, page)) {
                    return;
                }
            }
        } catch (Problem problem) {
            boolean signedOut = problem.code().status() == 401;
            socket.send(Json.write(JsonObject.of("type", signedOut ? "signed_out" : "reload")));
            socket.close(
                    problem.code() == ErrorCode.SERVICE_UNAVAILABLE
                            ? WebSocketConnection.TRY_AGAIN_LATER
                            : WebSocketConnection.POLICY_VIOLATION,
                    signedOut ? "signed out" : "read the page again");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** One message a page of events: what happened how often, and up to where. */
    private static boolean send(WebSocketConnection socket, JsonTree page) {
        int arrived = 0;
        for (JsonTree event : page.list("events")) {
            arrived += event.text("event_type").startsWith("message.received") ? 1 : 0;
        }
        return socket.send(Json.write(JsonObject.of("type", "events")
                .with("count", page.list("events").size())
                .with("arrived", arrived)
                .with("cursor", page.text("next_cursor"))));
    }

    /** The page says nothing. */
    @Override
    public void received(byte[] text) {}

    @Override
    public void closed() {
        over = true;
    }
}
