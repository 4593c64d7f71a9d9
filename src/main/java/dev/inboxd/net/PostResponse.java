package dev.inboxd.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpHeader;

/** Reads the response to a post on the client's I/O thread: counts the content, keeps none, stops at the limit. */
final class PostResponse implements Response.Listener {
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final long limit;
    private long bytes;
    private boolean cut;

    PostResponse(long limit) {
        this.limit = limit;
    }

    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    @Override
    public void onContent(Response response, ByteBuffer content) {
        bytes += content.remaining();
        if (bytes > limit && !cut) {
            cut = true;
            // Aborting is the client's way of saying: close this connection.
            var _ = response.abort(new IOException("the rest is not wanted"));
        }
    }

    @Override
    public void onComplete(Result result) {
        if (result.isSucceeded() || cut) {
            Response response = result.getResponse();
            String mediaType = response.getHeaders().get(HttpHeader.CONTENT_TYPE);
            outcome.complete(new Outcome.Answered(response.getStatus(), mediaType, Math.min(bytes, limit), cut));
        } else {
            outcome.complete(Failures.of(result.getFailure()));
        }
    }
}
