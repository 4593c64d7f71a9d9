package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;

/**
 * The handler of a route for programs that call procedures and not resources: the key may come in {@code X-Api-Key} too
 * (identity.md §2), and pages of foreign origins are refused by the server and not by the browser alone.
 */
record RpcRoute(Handler handler) implements Handler {
    @Override
    public Response handle(Request request) {
        if (request.isFromForeignPage(Cors.FOREIGN)) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN, "Forbidden", "Pages of this origin may not call; the operator can add it.");
        }
        if (request.header("Authorization") == null) {
            request.caller().requireKey(); // the header is named after API keys, and a session is none
        }
        return handler.handle(request);
    }
}
