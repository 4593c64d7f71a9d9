package dev.inboxd.payment.gate;

import dev.inboxd.base.http.DeferredResponse;
import dev.inboxd.base.http.Response;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that comes later, and has a header field of its payment when it is there.
 *
 * @param name of the field
 */
record MarkedResponse(DeferredResponse waiting, String name, String value) implements DeferredResponse {
    @Override
    public void park(Runnable resume) {
        waiting.park(resume);
    }

    @Override
    public Response poll() {
        Response answer = waiting.poll();
        boolean isThere = !(answer.body() instanceof Response.Body.Deferred);
        return isThere && answer.status() < 300 ? PaidCalls.marked(answer, name, value) : answer;
    }

    @Override
    public void disconnected() {
        waiting.disconnected();
    }

    @Override
    public @Nullable Supplier<byte[]> pieces() {
        return waiting.pieces();
    }
}
