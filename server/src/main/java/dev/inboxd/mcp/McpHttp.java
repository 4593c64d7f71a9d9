package dev.inboxd.mcp;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /mcp}: the Model Context Protocol over Streamable HTTP. Nothing is kept between two requests, of older
 * revisions either: the handshake is answered, and there is no session.
 */
final class McpHttp {
    /** That of a mail with its attachments, and what is around it. */
    private static final BodyLimit LIMIT = new BodyLimit(BodyLimit.ATTACHMENTS.bytes() + 64 * 1024, false);
    /** The most messages of one request. Only the revision of 2025-03-26 has several. */
    private static final int BATCH = 20;

    private final McpMethods methods;

    McpHttp(McpMethods methods) {
        this.methods = methods;
    }

    void mount(Routes root) {
        root.rpc(Gate.ANY_KEY, "/mcp", LIMIT, this::handle);
    }

    private Response handle(Request request) {
        byte[] octets = request.octets();
        Object json;
        try {
            json = Json.parse(octets);
        } catch (Problem malformed) {
            return refusal(
                    null,
                    RpcException.of(
                            400,
                            RpcException.PARSE_ERROR,
                            "Parse error: " + malformed.faults().getFirst().message()));
        }
        return json instanceof List<?> batch ? all(request, batch) : dispatch(request, json);
    }

    private Response dispatch(Request request, @Nullable Object json) {
        Object id = null;
        try {
            RpcMessage message = RpcMessage.of(json);
            id = message.id();
            if (message.isRequest()) {
                return methods.answer(request, message, RequestVersion.of(request, message));
            }
            if (Objects.equals(message.method(), "notifications/cancelled")) {
                methods.waits().cancel(request, message.params().get("requestId"));
            }
            return new Response(202, new Response.Body.None(), List.of());
        } catch (RpcException refused) {
            return refusal(id, refused);
        }
    }

    private Response all(Request request, List<?> batch) {
        if (request.header("MCP-Protocol-Version") != null
                && !ProtocolVersion.V2025_03_26.text().equals(request.header("MCP-Protocol-Version"))) {
            return refusal(null, RpcException.of(400, RpcException.INVALID_REQUEST, "This revision has no batches"));
        }
        if (batch.isEmpty() || batch.size() > BATCH) {
            return refusal(
                    null,
                    RpcException.of(400, RpcException.INVALID_REQUEST, "A batch has 1 to " + BATCH + " messages"));
        }
        List<Object> answers = new ArrayList<>();
        for (Object json : batch) {
            Response answer = dispatch(request, json);
            switch (answer.body()) {
                case Response.Body.Bytes bytes -> answers.add(Objects.requireNonNull(Json.parse(bytes.content())));
                case Response.Body.Deferred(var waiting) -> {
                    waiting.disconnected();
                    return refusal(
                            RpcMessage.of(json).id(),
                            RpcException.of(400, RpcException.INVALID_REQUEST, "A call that waits comes alone"));
                }
                default -> {
                    // a notification
                }
            }
        }
        return answers.isEmpty()
                ? new Response(202, new Response.Body.None(), List.of())
                : Response.bytes(200, "application/json; charset=utf-8", Json.write(answers));
    }

    private static Response refusal(@Nullable Object id, RpcException error) {
        JsonObject answer = RpcMessage.refusal(id, error);
        return Response.of(error.status(), answer);
    }
}
