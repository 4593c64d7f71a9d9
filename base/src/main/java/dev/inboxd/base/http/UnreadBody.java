package dev.inboxd.base.http;

import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body of a request that is answered before its body is read: without a good key, or for a missing resource. An
 * unread body would end the connection behind the answer without notice, and the client's next request on it would
 * fail. So a small body is received and dropped; with any other, the answer says that the connection ends (RFC 9112
 * §9.6).
 */
final class UnreadBody {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadBody.class);
    /** Bytes of a refused body that are still received, so that a client that is sending gets to read the refusal. */
    private static final long LINGER = 32 << 20;

    private static final int SMALL = 64 * 1024;

    private final Request in;
    private final long began = System.nanoTime();
    private boolean received;
    private boolean closes;
    private long drops;

    UnreadBody(Request in) {
        this.in = in;
    }

    /** Notes that the body was received to its end. */
    void received() {
        received = true;
    }

    /** Ends the connection with the answer. */
    void close() {
        closes = true;
    }

    /** Ends the connection with the answer, and receives and drops the rest of the body. */
    void lingerAndClose() {
        closes = true;
        drops = LINGER;
    }

    /** Whether the connection ends with the answer that is about to be sent. */
    boolean endsConnection() {
        if (!closes && !received && (in.getLength() > 0 || in.getHeaders().contains(HttpHeader.TRANSFER_ENCODING))) {
            // A client that waits for 100 Continue will hardly send the body behind a refusal (RFC 9110 §10.1.1).
            boolean comes = in.getLength() > 0
                    && in.getLength() <= SMALL
                    && !in.getHeaders().contains(HttpHeader.EXPECT);
            drops = comes ? SMALL : 0;
            closes = !comes;
        }
        return closes;
    }

    /** Receives the bytes to drop, behind the answer. */
    void discard() {
        if (drops == 0) {
            return;
        }
        try (InputStream rest = Content.Source.asInputStream(in)) {
            byte[] piece = new byte[8 * 1024];
            long size = 0;
            for (int count = 0; count >= 0 && size < drops; count = rest.read(piece)) {
                size += count;
                if (BodyReader.isTooSlow(System.nanoTime() - began, size)) {
                    return;
                }
            }
        } catch (IOException gone) {
            LOG.debug("the peer disconnected before its refused body was received", gone);
        }
    }
}
