package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.page.PageSeal;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the API from within this process: the same routes, scopes, permissions and answers as over HTTP, without a
 * connection. A page that shows nothing but these answers shows nothing that a key could not get.
 */
public final class LocalCalls {
    private final RouteTable routes;
    private final ScopeResolver scopes;
    private final PageSeal seal;
    private final RequestObserver observer;

    /**
     * Calls of these routes.
     *
     * @param routes filled before the first call
     * @param seal that of the port, so that page tokens are the same
     * @param observer is told of what was done, as of calls over HTTP
     */
    public LocalCalls(RouteTable routes, ScopeResolver scopes, PageSeal seal, RequestObserver observer) {
        this.routes = routes;
        this.scopes = scopes;
        this.seal = seal;
        this.observer = observer;
    }

    /** Whether there is such a route. */
    public boolean has(String method, String path) {
        return routes.find(method, PathSegments.of(path)) != null;
    }

    /**
     * Makes a call on behalf of a request.
     *
     * @param outer the request, whose id and memory the call has
     * @throws Problem as the API answers it
     */
    public Response call(Request outer, Caller caller, LocalCall call) {
        return answer(new LocalSource(call, outer.source()), () -> caller, call);
    }

    /**
     * Makes a call that may wait, on a thread of its own.
     *
     * @param caller asked again after each wait, so that it is as it is then
     * @throws Problem as the API answers it
     */
    public Response await(Supplier<Caller> caller, LocalCall call) {
        LocalSource source = new LocalSource(call, null);
        try {
            return answer(source, caller, call);
        } finally {
            source.answered();
        }
    }

    private Response answer(LocalSource source, Supplier<Caller> caller, LocalCall call) {
        List<String> segments = PathSegments.of(call.path());
        RouteTable.Match match = routes.find(call.method(), segments);
        if (match == null) {
            throw Problem.of(ErrorCode.NOT_FOUND, "Route not found");
        }
        Request request = new Request(source, seal, match, segments);
        admit(request, caller.get());
        request.onAgain(() -> admit(request, caller.get()));
        try {
            Response answer = match.route().handler().handle(request);
            observer.handled(request, answer);
            return settled(answer);
        } catch (BodyTooLargeException tooLarge) {
            throw Problem.of(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "The body may have at most " + tooLarge.limit().bytes() + " bytes");
        }
    }

    private void admit(Request request, Caller caller) {
        Level level = request.route().level();
        ScopeResolver.@Nullable ScopePrefetch ahead =
                level == Level.INBOX ? scopes.prefetch(level, request.path("inbox_id")) : null;
        ScopeResolver.ResolvedScope place = PathScope.of(caller, request, scopes, ahead);
        caller.require(request.route().access());
        request.admit(caller, place);
    }

    private static Response settled(Response first) {
        Response answer = first;
        while (answer.body() instanceof Response.Body.Deferred(DeferredResponse waiting)) {
            CountDownLatch due = new CountDownLatch(1);
            waiting.park(due::countDown);
            try {
                due.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                waiting.disconnected();
                throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The server stops");
            }
            answer = waiting.poll();
        }
        return answer;
    }
}
