package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;

/**
 * The handler of a route that needs no key and that changes or shows something of the owner's: closed to web pages of
 * others where the {@link PageRule} has a list of origins.
 */
public record OwnPages(Handler handler) implements Handler {
    @Override
    public Response handle(Request request) {
        if (request.isFromForeignPage(PageGuard.FOREIGN)) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "Web pages of other origins may not use this",
                    "Call it from a program or from a page on this machine, or add the page's origin to"
                            + " INBOXD_CORS_ORIGINS.");
        }
        return handler.handle(request);
    }
}
