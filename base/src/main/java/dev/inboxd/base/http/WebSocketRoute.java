package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.util.List;
import java.util.function.Function;

/** The handler of a route that opens WebSockets. */
record WebSocketRoute(Function<Request, WebSocketHandler> opener) implements Handler {
    @Override
    public Response handle(Request request) {
        if (!request.asksForWebSocket()) {
            throw Problem.of(ErrorCode.UPGRADE_REQUIRED, "This path speaks WebSocket alone");
        }
        if (request.isFromForeignPage(Cors.FOREIGN)) {
            // promises.md A44: a browser refuses other calls of foreign pages by itself; a WebSocket is refused here.
            throw Problem.of(
                    ErrorCode.FORBIDDEN, "Forbidden", "Pages of this origin may not call; the operator can add it.");
        }
        return new Response(101, new Response.Body.Upgrade(opener.apply(request)), List.of());
    }
}
