package dev.inboxd.base.http;

import dev.inboxd.base.log.LogLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one answer. The answer holds its memory until the peer has taken it, so a peer that takes it too slowly is
 * cut off (promise P15): over HTTP/1.1 the connection ends; over HTTP/2 the stream ends, and the connection when the
 * peer does not take even the reset.
 */
final class ResponseWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseWriter.class);
    private static final int CHUNK = 64 * 1024;

    private final Request in;
    private final Response out;
    private final String id;
    private final boolean awaited;
    private final long began = System.nanoTime();
    private volatile long sent;
    private boolean over;
    private boolean reset;
    private Scheduler.@Nullable Task next;

    /**
     * Minimum rate at which a peer must take an answer.
     *
     * @param grace time from the start of the answer in which any rate will do
     * @param octets average octets a second, over all octets sent so far
     */
    record MinimumRate(Duration grace, long octets) {
        /** The same rate as for request bodies. */
        static final MinimumRate USUAL = new MinimumRate(Duration.ofSeconds(30), 1_000);
        /** Factor for answers that other requests wait for: the rate of a telephone line. */
        private static final int FASTER = 8;

        /** Whether the octets sent in this time miss the minimum rate. */
        boolean isMissed(long nanos, long sent) {
            return nanos > grace.toNanos() && sent < nanos / 1e9 * octets;
        }

        private MinimumRate faster() {
            return new MinimumRate(grace, octets * FASTER);
        }
    }

    /**
     * Prepares to write one answer.
     *
     * @param id of the request, for the log
     * @param awaited whether the answer holds memory that other answers wait for
     */
    ResponseWriter(Request in, Response out, String id, boolean awaited) {
        this.in = in;
        this.out = out;
        this.id = id;
        this.awaited = awaited;
    }

    /** Sends the bytes; returns when they are written. */
    void send(byte[] bytes) throws IOException {
        begin(bytes.length);
        try {
            if (isHead()) {
                sendHeader();
                return;
            }
            do {
                int count = (int) Math.min(CHUNK, bytes.length - sent);
                write(ByteBuffer.wrap(bytes, (int) sent, count), bytes.length);
            } while (sent < bytes.length);
        } finally {
            end();
        }
    }

    /** Sends a stream, and closes it. */
    void send(dev.inboxd.base.http.Response.Body.Stream stream) throws IOException {
        try (InputStream content = stream.content()) {
            begin(stream.length());
            if (isHead()) {
                sendHeader();
                return;
            }
            byte[] chunk = new byte[(int) Math.min(CHUNK, Math.max(1, stream.length()))];
            do {
                int count = stream.length() == 0 ? 0 : read(content, chunk, stream.length() - sent);
                write(ByteBuffer.wrap(chunk, 0, count), stream.length());
            } while (sent < stream.length());
        } finally {
            end();
        }
    }

    private boolean isHead() {
        return in.getMethod().equals("HEAD");
    }

    /** RFC 9110 §9.3.2: HEAD has the header of GET, its Content-Length too, and no content. */
    private void sendHeader() throws IOException {
        Content.Sink.write(out, true, ByteBuffer.allocate(0));
    }

    private void write(ByteBuffer bytes, long length) throws IOException {
        long then = sent + bytes.remaining();
        Content.Sink.write(out, then == length, bytes);
        sent = then;
    }

    /**
     * Reads the next bytes of the stream. A failed read is a fault of the server and is logged; a disconnected peer is
     * not.
     */
    private int read(InputStream content, byte[] chunk, long left) throws IOException {
        try {
            int count = content.readNBytes(chunk, 0, (int) Math.min(chunk.length, left));
            if (count > 0) {
                return count;
            }
            throw new IOException("the stream ended " + left + " bytes early");
        } catch (IOException | RuntimeException failed) {
            LOG.atError().addKeyValue("request_id", id).setCause(failed).log("answer cut short: its source failed");
            throw new IOException(failed);
        }
    }

    private void begin(long length) {
        out.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
        MinimumRate pace = length <= CHUNK
                ? null
                : in.getConnectionMetaData().getConnector().getBean(MinimumRate.class);
        if (pace != null) { // an answer of one chunk is not watched
            watch(awaited ? pace.faster() : pace, pace.grace);
        }
    }

    private synchronized void watch(MinimumRate pace, Duration pause) {
        if (!over) {
            next = in.getComponents()
                    .getScheduler()
                    .schedule(() -> checkRate(pace), pause.toMillis() + 1, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void checkRate(MinimumRate pace) {
        // How much of the current write has been sent is unknown; all of it counts as sent.
        if (!over && pace.isMissed(System.nanoTime() - began, sent + CHUNK)) {
            cut();
        }
        watch(pace, pace.grace.dividedBy(4));
    }

    private synchronized void end() {
        over = true;
        if (next != null) {
            next.cancel();
        }
    }

    /** Ends the connection, or over HTTP/2 the stream. */
    void cut() {
        LogLine.of("answer_cut").with("request_id", id).with("sent", sent).write();
        Connection connection = in.getConnectionMetaData().getConnection();
        Stream stream = !reset && connection instanceof HTTP2Connection http2 ? stream(in, http2) : null;
        reset = true;
        if (stream == null) {
            ConnectionLimits.carrier(connection).getEndPoint().close();
        } else { // RFC 9113 §7: a peer that might be generating excessive load
            stream.reset(new ResetFrame(stream.getId(), ErrorCode.ENHANCE_YOUR_CALM_ERROR.code), Callback.NOOP);
        }
    }

    /** The stream that a request came on, or null when it is over. */
    static @Nullable Stream stream(Request in, HTTP2Connection connection) {
        return connection.getSession().getStreams().stream()
                .filter(stream -> in.getId().equals(String.valueOf(stream.getId())))
                .findFirst()
                .orElse(null);
    }
}
