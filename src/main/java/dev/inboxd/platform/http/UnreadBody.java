package dev.inboxd.platform.http;

import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a body that is answered before it was read: of a request without a good key, or for what is not there.
 * Left alone, it would end the connection behind the answer without a word, and the client's next request on it would
 * fail. So a small one is received and dropped, and of any other the answer says that the connection ends
 * (RFC 9112 §9.6).
 */
final class UnreadBody {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadBody.class);
    /** So much of a refused body is still received, so that a client that is sending gets to read the refusal. */
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

    /** The body was received to its end. */
    void received() {
        received = true;
    }

    /** The connection ends with the answer. */
    void close() {
        closes = true;
    }

    /** The connection ends with the answer; what the peer is still sending is received and dropped. */
    void lingerAndClose() {
        closes = true;
        drops = LINGER;
    }

    /** Whether the connection ends with the answer that is about to be sent. */
    boolean endsConnection() {
        if (!closes && !received && (in.getLength() > 0 || in.getHeaders().contains(HttpHeader.TRANSFER_ENCODING))) {
            // Whoever waits for leave to send it will hardly send it behind a refusal (RFC 9110 §10.1.1).
            boolean comes = in.getLength() > 0
                    && in.getLength() <= SMALL
                    && !in.getHeaders().contains(HttpHeader.EXPECT);
            drops = comes ? SMALL : 0;
            closes = !comes;
        }
        return closes;
    }

    /** Receives, behind the answer, what is dropped. */
    void discard() {
        if (drops == 0) {
            return;
        }
        try (InputStream rest = Content.Source.asInputStream(in)) {
            byte[] piece = new byte[8 * 1024];
            long size = 0;
            for (int count = 0; count >= 0 && size < drops; count = rest.read(piece)) {
                size += count;
                if (Exchange.isTooSlow(System.nanoTime() - began, size)) {
                    return;
                }
            }
        } catch (IOException gone) {
            LOG.debug("the peer left before its refused body was received", gone);
        }
    }
}
