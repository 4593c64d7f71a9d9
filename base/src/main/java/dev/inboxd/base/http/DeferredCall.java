package dev.inboxd.base.http;

import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The deferred answer of a call of a route, whose problems are rendered like those of the call itself.
 *
 * @param waiting produces the answer
 * @param rendering runs a poll and renders what it throws
 */
record DeferredCall(DeferredResponse waiting, Function<Supplier<Response>, Response> rendering)
        implements DeferredResponse {
    @Override
    public void park(Runnable resume) {
        waiting.park(resume);
    }

    @Override
    public Response poll() {
        Response answer = rendering.apply(waiting::poll);
        return answer.body() instanceof Response.Body.Deferred ? Response.later(this) : answer;
    }

    @Override
    public void disconnected() {
        waiting.disconnected();
    }
}
