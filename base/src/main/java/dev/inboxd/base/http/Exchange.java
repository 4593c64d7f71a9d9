package dev.inboxd.base.http;

import dev.inboxd.base.http.proxy.TrustedProxies;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request and its answer over Jetty. Only this class touches Jetty's request and response. */
final class Exchange implements RequestSource {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final HttpField CLOSE = new PreEncodedHttpField(HttpHeader.CONNECTION, "close");
    /** Longer than the longest wait a client can ask for. */
    private static final Duration LONGEST_REST = Duration.ofMinutes(10);

    private final org.eclipse.jetty.server.Request in;
    private final org.eclipse.jetty.server.Response out;
    private final BodyBudget.Share memory;
    private final BodyBudget.Share answer;
    private final String id = RequestId.next(System.currentTimeMillis());
    private final List<Consumer<Boolean>> work = new ArrayList<>(0);
    private final UnreadBody unread;
    private byte @Nullable [] early;
    private boolean rested;

    /** An exchange with the shares of memory for its body and its answer. */
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

    @Override
    public String id() {
        return id;
    }

    /** The method. A WebSocket over HTTP/2 comes as CONNECT (RFC 8441 §4), which means GET here. */
    @Override
    public String method() {
        return asksForWebSocket() ? "GET" : in.getMethod();
    }

    @Override
    public boolean asksForWebSocket() {
        return WebSockets.asks(in);
    }

    @Override
    public boolean isFromForeignPage(String rule) {
        return in.getAttribute(rule) != null;
    }

    /** The host by which the server was called, without its port; null when the request has none. */
    @Nullable
    String host() {
        return PageGuard.host(in);
    }

    String rawPath() {
        String path = in.getHttpURI().getPath();
        return path == null ? "" : path;
    }

    @Override
    public @Nullable String rawQuery() {
        return in.getHttpURI().getQuery();
    }

    /** RFC 9113 §8.2.3: a browser may send the cookies in several fields; RFC 9110 §5.3: and a client a list. */
    @Override
    public @Nullable String header(String name) {
        String first = in.getHeaders().get(name);
        boolean isCookie = HttpHeader.COOKIE.is(name);
        boolean isList = HttpHeader.IF_NONE_MATCH.is(name) || HttpHeader.IF_MATCH.is(name);
        return first != null && (isCookie || isList)
                ? String.join(isCookie ? "; " : ", ", in.getHeaders().getValuesList(name))
                : first;
    }

    @Override
    public List<String> fields(String name) {
        return in.getHeaders().getValuesList(name);
    }

    @Override
    public String remoteAddress() {
        return in.getAttribute(TrustedProxies.CLIENT) instanceof TrustedProxies.Client client
                ? client.address()
                : org.eclipse.jetty.server.Request.getRemoteAddr(in);
    }

    /** Whether the caller speaks TLS, to this server or to a trusted proxy. */
    @Override
    public boolean isSecure() {
        return in.getAttribute(TrustedProxies.CLIENT) instanceof TrustedProxies.Client client
                ? client.secure()
                : in.isSecure();
    }

    @Override
    public boolean isForwarded() {
        return ProxyFields.areIn(in.getHeaders(), in.getConnectionMetaData().getHttpVersion());
    }

    @Override
    public void onAnswered(Consumer<Boolean> then) {
        work.add(then);
    }

    /**
     * Allows the connection, or the stream of HTTP/2, to be silent until the answer. Refusing each idle time-out of
     * Jetty instead would fail an answer that is just being written, as at the end of a wait of thirty seconds.
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
     * Calls back when the peer has disconnected. Over HTTP/1.1 a disconnect goes unnoticed, because bytes behind a
     * request are read only after its answer. A failure before this registration is not reported, so register first.
     */
    void onGone(Runnable then) {
        in.addFailureListener(_ -> then.run());
    }

    /** Reserves memory for an answer of this size, or refuses it for now. */
    @Override
    public void reserve(int size) {
        answer.grow(size);
    }

    /** As {@link #reserve} for a text; a request that was parked does not wait, because it holds up others. */
    @Override
    public void reserveText(int size) {
        answer.growForText(size, !rested);
    }

    /** Releases the memory of an answer that is not made yet after all. */
    void release() {
        rested = true;
        answer.release();
    }

    /** Whether Content-Length announces more; a chunked body has the length -1 and announces nothing. */
    boolean announcesMoreThan(int bytes) {
        return in.getLength() > bytes;
    }

    /** Ends the connection with this answer. */
    void close() {
        unread.close();
    }

    /** Notes that the request is not valid HTTP, so that nobody knows where it ends. */
    void isBroken() {
        unread.isBroken();
    }

    /** Notes that the caller has a good key. */
    void isKnown() {
        unread.isKnown();
    }

    @Override
    public byte[] body(BodyLimit limit, boolean json) {
        return early != null ? early : new BodyReader(in, memory, unread).read(limit, json);
    }

    @Override
    public byte[] ahead(BodyLimit limit) {
        early = body(limit, false);
        return early;
    }

    /** Whether there is memory for this answer, which is rendered, until its peer has taken it. */
    boolean keeps(Response rendered) {
        return !(rendered.body() instanceof Response.Body.Bytes bytes) || answer.keep(bytes.content().length);
    }

    /** Sends the answer and waits until it is written; false when the peer has disconnected. */
    boolean write(Response answer) {
        HttpFields.Mutable headers = begin(answer);
        try {
            switch (answer.body()) {
                case Response.Body.None none -> sending().send(new byte[0]);
                case Response.Body.Upgrade _, Response.Body.Deferred _ ->
                    throw new IllegalStateException("nothing to send");
                case Response.Body.Bytes bytes -> {
                    headers.put(HttpHeader.CONTENT_TYPE, bytes.mediaType());
                    this.answer.shrink(bytes.content().length); // the answer is rendered and waits for its peer
                    sending().send(bytes.content());
                }
                case Response.Body.Stream stream -> {
                    headers.put(HttpHeader.CONTENT_TYPE, stream.mediaType());
                    sending().send(stream);
                }
            }
            return true;
        } catch (IOException failure) {
            return false;
        }
    }

    /** Receives and drops what is left of the request, behind the answer; over HTTP/2, only this stream ends. */
    void discard() {
        Connection connection = in.getConnectionMetaData().getConnection();
        Stream stream = connection instanceof HTTP2Connection http2 ? ResponseWriter.stream(in, http2) : null;
        if (stream != null) {
            unread.discard(stream);
        } else if (isHttp1()) {
            unread.discard();
        }
    }

    private HttpFields.Mutable begin(Response answer) {
        out.setStatus(answer.status());
        HttpFields.Mutable headers = out.getHeaders();
        headers.put("X-Request-Id", id);
        SecurityHeaders.put(headers, rawPath(), isSecure());
        if (isHttp1()) {
            KeptConnection keptConnection =
                    in.getConnectionMetaData().getConnector().getBean(KeptConnection.class);
            headers.put(keptConnection == null || unread.endsConnection() ? CLOSE : keptConnection.field());
        }
        Set<String> own = new HashSet<>();
        for (int i = 0; i < answer.headers().size(); i += 2) {
            String name = answer.headers().get(i);
            if (own.add(name)) {
                headers.put(name, answer.headers().get(i + 1)); // instead of the usual one
            } else {
                headers.add(name, answer.headers().get(i + 1));
            }
        }
        return headers;
    }

    /** Begins an answer that is sent piece by piece. */
    EventStream events(Response head, DeferredResponse waiting) {
        begin(head).put(HttpHeader.CONTENT_TYPE, EventStream.MEDIA_TYPE);
        return new EventStream(out, in.getComponents().getScheduler(), waiting);
    }

    /** Writes the answer, or ends its connection. */
    ResponseWriter sending() {
        return new ResponseWriter(in, out, id, answer.isHeld());
    }

    /** RFC 9113 §8.2.2: HTTP/2 has no header Connection. */
    private boolean isHttp1() {
        return in.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2;
    }

    /** Runs the work registered for the end of the answer, and releases the memory of body and answer. */
    void answered(boolean written) {
        memory.release();
        answer.release();
        for (Consumer<Boolean> then : work) {
            try {
                then.accept(written);
            } catch (RuntimeException failed) {
                LOG.atError().addKeyValue("request_id", id).setCause(failed).log("work after the answer failed");
            }
        }
    }
}
