package dev.inboxd.platform.http;

import dev.inboxd.platform.error.Fault;
import dev.inboxd.platform.error.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request and its answer on the wire: everything that knows Jetty's request and response. */
final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final HttpField CLOSE = new PreEncodedHttpField(HttpHeader.CONNECTION, "close");
    private static final int FIRST = 4 * 1024;
    /** Beyond the longest wait that can be asked for. */
    private static final Duration LONGEST_REST = Duration.ofMinutes(10);

    private final org.eclipse.jetty.server.Request in;
    private final org.eclipse.jetty.server.Response out;
    private final BodyBudget.Share memory;
    private final BodyBudget.Share answer;
    private final String id = RequestId.next(System.currentTimeMillis());
    private final List<Consumer<Boolean>> work = new ArrayList<>(0);
    private final UnreadBody unread;
    private boolean rested;

    /** An exchange whose body and whose answer are made in these shares of the memory. */
    Exchange(
            org.eclipse.jetty.server.Request in,
            org.eclipse.jetty.server.Response out,
            BodyBudget.Share memory,
            BodyBudget.Share answer) {
        this.in = in;
        this.out = out;
        this.memory = memory;
        this.answer = answer;
        this.unread = new UnreadBody(in);
    }

    String id() {
        return id;
    }

    /** The method; that of a WebSocket over HTTP/2 reads CONNECT (RFC 8441 §4) and means GET all the same. */
    String method() {
        return asksForWebSocket() ? "GET" : in.getMethod();
    }

    boolean asksForWebSocket() {
        return WebSockets.asks(in);
    }

    boolean isFromForeignPage() {
        return in.getAttribute(Cors.FOREIGN) != null;
    }

    String rawPath() {
        String path = in.getHttpURI().getPath();
        return path == null ? "" : path;
    }

    @Nullable
    String rawQuery() {
        return in.getHttpURI().getQuery();
    }

    @Nullable
    String header(String name) {
        return in.getHeaders().get(name);
    }

    String remoteAddress() {
        return in.getAttribute(TrustedProxies.CLIENT) instanceof TrustedProxies.Client client
                ? client.address()
                : org.eclipse.jetty.server.Request.getRemoteAddr(in);
    }

    /** Whether the caller speaks TLS, with us or with a trusted proxy. */
    boolean isSecure() {
        return in.getAttribute(TrustedProxies.CLIENT) instanceof TrustedProxies.Client client
                ? client.secure()
                : in.isSecure();
    }

    void onAnswered(Consumer<Boolean> then) {
        work.add(then);
    }

    /**
     * Lets the connection, or the stream of HTTP/2, be silent until the answer. Not by refusing to call it idle each time
     * that it seems so: Jetty would fail an answer that is just being written, and a wait of thirty seconds ends just then.
     */
    void isParked() {
        Connection connection = in.getConnectionMetaData().getConnection();
        if (connection instanceof HTTP2Connection http2) {
            Stream stream = ResponseWriter.stream(in, http2);
            if (stream != null) {
                stream.setIdleTimeout(stream.getIdleTimeout() + LONGEST_REST.toMillis());
            }
        } else {
            EndPoint peer = connection.getEndPoint();
            long usual = peer.getIdleTimeout();
            peer.setIdleTimeout(usual + LONGEST_REST.toMillis());
            onAnswered(_ -> peer.setIdleTimeout(usual));
        }
    }

    /**
     * Tells when the peer is gone. Over HTTP/1.1 that is not noticed: what a peer sends behind a request is not looked at
     * before the answer. What has failed already is not told, so this comes first.
     */
    void onGone(Runnable then) {
        in.addFailureListener(_ -> then.run());
    }

    /** Makes room for what an answer of that size is made of, or refuses it for now. */
    void reserve(int size) {
        answer.grow(size);
    }

    /** As {@link #reserve} for a text; a request that has rested holds a turn of others meanwhile, and does not wait. */
    void reserveText(int size) {
        answer.growForText(size, !rested);
    }

    /** Gives back the room of an answer that is not made yet after all. */
    void release() {
        rested = true;
        answer.release();
    }

    /** Whether the body is said to be larger; -1, for a body in chunks, says nothing. */
    boolean announcesMoreThan(int bytes) {
        return in.getLength() > bytes;
    }

    /** The connection ends with this answer. */
    void close() {
        unread.close();
    }

    /** The connection ends with this answer; what the peer is still sending is received and dropped. */
    void lingerAndClose() {
        unread.lingerAndClose();
    }

    /**
     * Receives the body.
     *
     * @param json whether it must not say that it is something else
     * @throws BodyTooLargeException when it goes on beyond the limit
     * @throws Problem when it is compressed, not JSON by its own word, does not arrive whole, or there is no memory
     */
    byte[] body(BodyLimit limit, boolean json) {
        if (in.getLength() == 0) {
            return BufferUtil.toArray(BufferUtil.EMPTY_BUFFER);
        }
        String encoding = header("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw badHeader("content-encoding", "Content-Encoding is not supported for requests; send plain JSON");
        }
        byte[] body;
        try (InputStream stream = Content.Source.asInputStream(in)) {
            body = receive(stream, limit);
            unread.received();
        } catch (IOException cut) {
            unread.close();
            throw Problem.invalid(List.of(new Fault(List.of(), "The body did not arrive whole and in time")));
        }
        String type = header("Content-Type");
        if (json && body.length > 0 && type != null && !isJson(type)) {
            throw badHeader("content-type", "Content-Type must be application/json");
        }
        return body;
    }

    private byte[] receive(InputStream stream, BodyLimit limit) throws IOException {
        long began = System.nanoTime();
        // Grown as it comes: an announced length alone costs nothing.
        byte[] body =
                new byte[(int) Math.min(in.getLength() < 0 ? FIRST : Math.min(in.getLength(), FIRST), limit.bytes())];
        int size = 0;
        while (true) {
            if (size == body.length) {
                int next = stream.read();
                if (next < 0) {
                    return body;
                }
                if (size == limit.bytes()) {
                    throw new BodyTooLargeException(limit);
                }
                body = Arrays.copyOf(body, room(Math.min(2 * size + FIRST, limit.bytes())));
                body[size++] = (byte) next;
            }
            int count = stream.read(body, size, body.length - size);
            if (count < 0) {
                return Arrays.copyOf(body, size);
            }
            size += count;
            // The connector's idle timeout bounds the silence between two bytes, this bounds their sum.
            if (isTooSlow(System.nanoTime() - began, size)) {
                throw new IOException("the body comes too slowly");
            }
        }
    }

    /** Whether so much in so long is too little: after 30 seconds, a body must have come at 1,000 bytes a second. */
    static boolean isTooSlow(long nanos, long size) {
        long seconds = nanos / 1_000_000_000;
        return seconds > 30 && size < seconds * 1_000;
    }

    private int room(int size) {
        try {
            memory.grow(size);
            return size;
        } catch (Problem busy) {
            lingerAndClose();
            throw busy;
        }
    }

    private static boolean isJson(String type) {
        int semicolon = type.indexOf(';');
        return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().equalsIgnoreCase("application/json");
    }

    private static Problem badHeader(String name, String message) {
        return Problem.invalid(List.of(new Fault(List.of("headers", name.toLowerCase(Locale.ROOT)), message)));
    }

    /** Sends the answer and waits until it is out; false when the peer is gone. */
    boolean write(Response answer) {
        out.setStatus(answer.status());
        HttpFields.Mutable headers = out.getHeaders();
        headers.put("X-Request-Id", id);
        SecurityHeaders.put(headers, rawPath(), isSecure());
        if (isHttp1() && unread.endsConnection()) {
            headers.put(CLOSE);
        }
        for (int i = 0; i < answer.headers().size(); i += 2) {
            headers.put(answer.headers().get(i), answer.headers().get(i + 1));
        }
        try {
            switch (answer.body()) {
                case Response.Body.None none -> sending().send(new byte[0]);
                case Response.Body.Upgrade _, Response.Body.Deferred _ ->
                    throw new IllegalStateException("nothing to send");
                case Response.Body.Bytes bytes -> {
                    headers.put(HttpHeader.CONTENT_TYPE, bytes.mediaType());
                    this.answer.shrink(bytes.content().length); // it was made, and waits for its peer
                    sending().send(bytes.content());
                }
                case Response.Body.Stream stream -> {
                    headers.put(HttpHeader.CONTENT_TYPE, stream.mediaType());
                    sending().send(stream);
                }
            }
            if (isHttp1()) { // of HTTP/2, only this stream ends
                unread.discard();
            }
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    private ResponseWriter sending() {
        return new ResponseWriter(in, out, id, answer.isHeld());
    }

    /** RFC 9113 §8.2.2: HTTP/2 has no header Connection. */
    private boolean isHttp1() {
        return in.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2;
    }

    /** Runs what was registered for now, and gives back the memory of the body and of the answer. */
    void answered(boolean written) {
        memory.release();
        answer.release();
        for (Consumer<Boolean> then : work) {
            try {
                then.accept(written);
            } catch (RuntimeException failed) {
                LOG.atError().addKeyValue("request_id", id).setCause(failed).log("work after an answer failed");
            }
        }
    }
}
