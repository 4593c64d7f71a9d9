package dev.inboxd.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Reads the response to a post on the client's I/O thread: counts the content, stores its beginning, stops at the
 * limit.
 */
final class PostResponse implements Response.Listener {
    private static final int OPENING_BYTES = 1024;

    private final CompletableFuture<HttpOutcome> outcome = new CompletableFuture<>();
    private final long limit;
    private final byte[] opening = new byte[OPENING_BYTES];
    private long bytes;
    private boolean cut;

    PostResponse(long limit) {
        this.limit = limit;
    }

    CompletableFuture<HttpOutcome> outcome() {
        return outcome;
    }

    @Override
    public void onContent(Response response, ByteBuffer content) {
        if (bytes < OPENING_BYTES) {
            content.slice().get(opening, (int) bytes, (int) Math.min(OPENING_BYTES - bytes, content.remaining()));
        }
        bytes += content.remaining();
        if (bytes > limit && !cut) {
            cut = true;
            // An abort makes the client close this connection.
            var _ = response.abort(new IOException("the response is longer than the limit"));
        }
    }

    @Override
    public void onComplete(Result result) {
        if (result.isSucceeded() || cut) {
            Response response = result.getResponse();
            String mediaType = response.getHeaders().get(HttpHeader.CONTENT_TYPE);
            outcome.complete(new HttpOutcome.Response(
                    response.getStatus(),
                    new HttpOutcome.ResponseFields(mediaType, null, null),
                    Math.min(bytes, limit),
                    cut,
                    opening()));
        } else {
            outcome.complete(HttpFailures.of(result.getFailure()));
        }
    }

    /** The stored beginning as text. Octets that are not UTF-8 become U+FFFD; a character that was cut is left out. */
    private String opening() {
        int length = (int) Math.min(bytes, OPENING_BYTES);
        String text = new String(opening, 0, length, StandardCharsets.UTF_8);
        if (bytes > OPENING_BYTES) {
            text = text.substring(0, text.length() - 1);
        }
        return text.codePoints()
                .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
