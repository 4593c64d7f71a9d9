package dev.inboxd.base.http;

import java.time.Duration;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.EndPoint;

/**
 * Tells a peer of HTTP/1.1 how long its connection is kept without a request (RFC 2068 §19.7.1.1), so that it sends no
 * request on one that is just closing.
 *
 * @param field the header field
 * @param idle how long the peer may be silent within a body
 */
record KeptConnection(HttpField field, Duration idle) {
    KeptConnection(Duration silence, Duration idle) {
        this(new PreEncodedHttpField(HttpHeader.KEEP_ALIVE, "timeout=" + Math.max(1, silence.toSeconds())), idle);
    }

    /**
     * Bounds the silence of the peer until the result is closed. That is before the answer: a stop of the server bounds
     * it behind one.
     */
    static Silence bound(EndPoint peer, Duration idle) {
        long usual = peer.getIdleTimeout();
        peer.setIdleTimeout(idle.toMillis());
        return () -> peer.setIdleTimeout(usual);
    }

    /** A bound of silence; closing it ends it. */
    interface Silence extends AutoCloseable {
        @Override
        void close();
    }
}
