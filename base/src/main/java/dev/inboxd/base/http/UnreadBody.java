package dev.inboxd.base.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body of a request that is answered before its body is read: without a good key, or for a missing resource. A
 * connection that is closed while the client still sends is reset, and the client never reads the answer. So the rest
 * of the body is received and dropped behind the answer, and the connection is closed in stages (RFC 9112 §9.6, ruling
 * 145). Behind a small body the connection goes on. Of HTTP/2 the stream alone ends (RFC 9113 §8.1).
 */
final class UnreadBody {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadBody.class);
    /** Bytes of a refused body that are received of a caller with a good key, whose body may be beyond its limit. */
    private static final long WITH_KEY = 32 << 20;

    private static final long WITHOUT_KEY = BodyLimit.ATTACHMENTS.bytes();
    private static final int SMALL = 64 * 1024;
    private static final int PIECE = 8 * 1024;
    private static final Duration LONGEST = Duration.ofSeconds(10);
    /** Silence of a peer that has been told the end, until it is cut off. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private final Request in;
    private boolean received;
    private boolean closes;
    private boolean broken;
    private long left = WITHOUT_KEY;

    UnreadBody(Request in) {
        this.in = in;
    }

    /** Notes that the body was received to its end. */
    void received() {
        received = true;
    }

    /** Notes that the request is not valid HTTP, so that nobody knows where it ends. */
    void isBroken() {
        broken = true;
    }

    /** Notes that the caller has a good key. */
    void isKnown() {
        left = WITH_KEY;
    }

    /** Ends the connection with the answer. */
    void close() {
        closes = true;
    }

    /** Whether the connection ends with the answer that is about to be sent. */
    boolean endsConnection() {
        // A client that waits for 100 Continue will hardly send the body behind a refusal (RFC 9110 §10.1.1).
        closes |= isComing() && (in.getLength() < 0 || in.getLength() > SMALL || isAwaited());
        return closes;
    }

    private boolean isComing() {
        return !received && (in.getLength() > 0 || in.getHeaders().contains(HttpHeader.TRANSFER_ENCODING));
    }

    private boolean isAwaited() {
        return in.getHeaders().contains(HttpHeader.EXPECT);
    }

    /** Receives the bytes to drop, behind the answer on a stream of HTTP/2. */
    void discard(Stream stream) {
        if (stream.isRemotelyClosed()) {
            return;
        }
        try {
            // A demand would send 100 Continue behind the answer (RFC 9110 §10.1.1).
            if (isAwaited() || !isDroppedSoon(System.nanoTime() + LONGEST.toNanos())) {
                stream.reset(new ResetFrame(stream.getId(), ErrorCode.NO_ERROR.code), Callback.NOOP);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Drops the rest of the body; false when the peer is silent, or it does not end within the limits. */
    private boolean isDroppedSoon(long end) throws InterruptedException {
        while (left > 0 && System.nanoTime() < end) {
            Content.Chunk chunk = in.read();
            if (chunk == null) {
                CountDownLatch more = new CountDownLatch(1);
                in.demand(more::countDown);
                if (!more.await(SILENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                    return false;
                }
            } else if (Content.Chunk.isFailure(chunk)) {
                return false;
            } else {
                left -= chunk.remaining();
                chunk.release();
                if (chunk.isLast()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Receives the bytes to drop, behind the answer of HTTP/1.1. */
    void discard() {
        if (!closes && !isComing()) {
            return;
        }
        long end = System.nanoTime() + LONGEST.toNanos();
        EndPoint peer = in.getConnectionMetaData().getConnection().getEndPoint();
        boolean isComplete = !isComing();
        if (!isComplete && !isAwaited()) {
            try (KeptConnection.Silence _ = KeptConnection.bound(peer, LONGEST)) {
                isComplete = isDropped(end);
            }
        }
        if (broken || (closes && !isComplete)) {
            linger(peer, Math.max(end, System.nanoTime() + SILENCE.toNanos()));
        }
    }

    /** Drops the rest of the body; false when it does not end within the limits. */
    private boolean isDropped(long end) {
        try (InputStream body = Content.Source.asInputStream(in)) {
            byte[] piece = new byte[PIECE];
            while (left > 0 && System.nanoTime() < end) {
                int count = body.read(piece);
                if (count < 0) {
                    return true;
                }
                left -= count;
            }
        } catch (IOException failure) {
            LOG.debug("a refused body did not arrive whole", failure);
        }
        return false;
    }

    /** Tells the end of the connection and drops what still comes, until the peer closes it as well. */
    private void linger(EndPoint peer, long end) {
        peer.shutdownOutput();
        ByteBuffer piece = BufferUtil.allocate(PIECE);
        try {
            for (int count = 0; count >= 0 && left > 0 && System.nanoTime() < end; left -= count) {
                BufferUtil.clear(piece);
                count = peer.fill(piece);
                if (count == 0) {
                    Callback.Completable more = new Callback.Completable();
                    peer.fillInterested(more);
                    more.get(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
                }
            }
            if (left <= 0) { // the peer gets to read the answer before it is reset
                Thread.sleep(SILENCE);
            }
        } catch (IOException | ExecutionException | TimeoutException | IllegalStateException failure) {
            LOG.debug("the peer of a refused body is gone", failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
