package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.OuterTransaction;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.page.PageSeal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /**
     * Makes a call on behalf of no request, and tells more of it than its answer.
     *
     * @throws Problem as the API answers it
     */
    public LocalAnswer run(Caller caller, LocalCall call) {
        return run(caller, call, new LocalSource(call, null));
    }

    /**
     * Makes a call that a request of before asked for.
     *
     * @param id the id of that request
     * @throws Problem as the API answers it
     */
    public LocalAnswer run(Caller caller, LocalCall call, String id) {
        return run(caller, call, new LocalSource(call, null, id));
    }

    private LocalAnswer run(Caller caller, LocalCall call, LocalSource source) {
        Request request = request(source, call);
        Response answer = answer(request, () -> caller);
        source.answered();
        return new LocalAnswer(answer, request.change().effect(), request.view(), parameters(request));
    }

    private static Map<String, String> parameters(Request request) {
        Map<String, String> parameters = new HashMap<>();
        request.route().parameters().forEach(name -> parameters.put(name, request.path(name)));
        return parameters;
    }

    /**
     * The answer to a call.
     *
     * @param effect what its handler said of its change
     * @param view what of the organization its path named
     * @param path the parameters of its path
     */
    public record LocalAnswer(Response answer, ChangeNote.Effect effect, View view, Map<String, String> path) {}

    private Response answer(LocalSource source, Supplier<Caller> caller, LocalCall call) {
        return answer(request(source, call), caller);
    }

    private Request request(LocalSource source, LocalCall call) {
        List<String> segments = PathSegments.of(call.path());
        RouteTable.Match match = routes.find(call.method(), segments);
        if (match == null) {
            throw Problem.of(ErrorCode.NOT_FOUND, "Route not found");
        }
        return new Request(source, seal, match, segments);
    }

    private Response answer(Request request, Supplier<Caller> caller) {
        admit(request, caller.get());
        request.onAgain(() -> admit(request, caller.get()));
        try {
            Response answer = request.route().handler().handle(request);
            observer.handled(request, answer);
            return settled(answer);
        } catch (BodyTooLargeException tooLarge) {
            throw Problem.of(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "The body may have at most " + tooLarge.limit().bytes() + " bytes");
        }
    }

    private void admit(Request request, Caller caller) {
        caller.require(request.route().role());
        Level level = request.route().level();
        ScopeResolver.@Nullable ScopePrefetch ahead =
                level == Level.INBOX ? scopes.prefetch(level, request.path("inbox_id")) : null;
        ScopeResolver.ResolvedScope place = PathScope.of(caller, request, scopes, ahead);
        caller.require(request.route().access());
        routes.requirePaid(caller, request);
        request.admit(caller, place);
    }

    private static Response settled(Response first) {
        Response answer = first;
        while (answer.body() instanceof Response.Body.Deferred(DeferredResponse waiting)) {
            CountDownLatch due = new CountDownLatch(1);
            waiting.park(due::countDown);
            if (OuterTransaction
                    .isOpen()) { // nobody else changes the organization meanwhile: the answer is that of now
                waiting.disconnected();
            }
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
