package dev.inboxd.base.http;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One WebSocket (RFC 6455). It receives whole text messages one at a time, sends texts from a bounded queue, and
 * pings. An idle one costs these fields and no thread.
 */
final class WebSocketChannel implements FrameHandler, WebSocketConnection {
    /** Longest text message of a peer, in bytes. */
    static final int LARGEST_TEXT = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(WebSocketChannel.class);
    private static final int MOST_FRAMES = 1_000;
    /**
     * Maximum number of bytes in the queue. All sockets of an event share its bytes, but a peer that does not read may
     * be the last one that holds them.
     */
    private static final int MOST_BYTES = 1 << 20;

    private static final int MOST_MISSED = 2;
    private static final int MOST_REFUSED = 100;

    private final WebSockets all;
    private final WebSocketHandler handler;
    private final Deque<byte[]> queue = new ArrayDeque<>(1);
    private final Flusher flusher = new Flusher();
    private @Nullable CoreSession session;
    private @Nullable ByteArrayOutputStream partial;
    private int queued;
    private volatile boolean closing;
    private boolean pinging;
    private boolean ponging;
    private int missed;
    private int refused;

    WebSocketChannel(WebSockets all, WebSocketHandler handler) {
        this.all = all;
        this.handler = handler;
    }

    @Override
    public void onOpen(CoreSession opened, Callback callback) {
        session = opened;
        all.opened(this);
        callback.succeeded();
        handler.opened(this);
        opened.demand();
    }

    @Override
    public void onFrame(Frame frame, Callback callback) {
        CoreSession open = open();
        if (closing && frame.getOpCode() != OpCode.CLOSE) { // what comes behind our farewell is dropped
            callback.succeeded();
            open.demand();
            return;
        }
        switch (frame.getOpCode()) {
            case OpCode.TEXT, OpCode.CONTINUATION -> text(frame, callback);
            case OpCode.PING -> {
                pong(BufferUtil.toArray(frame.getPayload()));
                callback.succeeded();
                open.demand();
            }
            case OpCode.PONG -> {
                synchronized (this) {
                    missed = 0;
                }
                callback.succeeded();
                open.demand();
            }
            case OpCode.CLOSE -> callback.succeeded(); // RFC 6455 §5.5.1: the session answers with the same code
            default -> {
                callback.succeeded();
                close(CloseStatus.BAD_DATA, "only texts are understood here");
                open.demand();
            }
        }
    }

    private void text(Frame frame, Callback callback) {
        ByteArrayOutputStream text = partial;
        if (text == null) {
            text = new ByteArrayOutputStream(frame.getPayloadLength());
            partial = text;
        }
        if (text.size() + frame.getPayloadLength() > LARGEST_TEXT) {
            partial = null;
            callback.succeeded();
            close(CloseStatus.MESSAGE_TOO_LARGE, "a frame may have at most " + LARGEST_TEXT + " bytes");
            open().demand();
            return;
        }
        text.writeBytes(BufferUtil.toArray(frame.getPayload()));
        callback.succeeded();
        if (frame.isFin()) {
            partial = null;
            byte[] message = text.toByteArray();
            Thread.ofVirtual().name("socket").start(() -> handle(message));
        } else {
            open().demand();
        }
    }

    private void handle(byte[] text) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            handler.received(text);
        } catch (CharacterCodingException notText) {
            close(CloseStatus.BAD_PAYLOAD, "a text must be UTF-8"); // RFC 6455 §8.1
        } catch (RuntimeException fault) {
            LOG.error("WebSocket failed", fault);
            close(CloseStatus.SERVER_ERROR, "something went wrong on our side");
        }
        open().demand();
    }

    @Override
    public boolean send(byte[] text) {
        boolean full;
        synchronized (this) {
            if (closing) {
                return false;
            }
            full = queue.size() >= MOST_FRAMES || (queued > 0 && queued + text.length > MOST_BYTES);
            if (!full) {
                queue.add(text);
                queued += text.length;
            }
        }
        if (full) {
            close(TRY_AGAIN_LATER, "events come faster than they are read; resume with the last event_id as cursor");
            return false;
        }
        flusher.iterate();
        return true;
    }

    @Override
    public void refuse(Problem problem) {
        send(Json.write(all.errors().json(JsonObject.of("type", "error"), problem)));
        if (++refused > MOST_REFUSED) {
            close(POLICY_VIOLATION, "too many frames that are not in order");
        }
    }

    @Override
    public synchronized boolean awaitRoom() throws InterruptedException {
        while (!closing && (queue.size() > MOST_FRAMES / 4 || queued > MOST_BYTES / 4)) {
            wait();
        }
        return !closing;
    }

    @Override
    public void close(int code, String reason) {
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
            queue.clear();
            notifyAll();
        }
        // A frame in progress ends first; a peer that reads nothing is cut off when its time is over.
        open().sendFrame(new Farewell(code, reason).toFrame(), Callback.NOOP, false);
        all.abortLater(this);
    }

    /** Pings the peer. A peer that left too many pings unanswered is disconnected. */
    void ping() {
        boolean isDead;
        synchronized (this) {
            isDead = ++missed > MOST_MISSED;
            if (!isDead && (pinging || closing)) {
                return;
            }
            pinging = true;
        }
        if (isDead) {
            cutOff();
        } else {
            send(OpCode.PING, new byte[0], () -> pinging = false);
        }
    }

    /** RFC 6455 §5.5.3: only the last of several pings needs an answer, so at most one pong is in progress. */
    private void pong(byte[] payload) {
        synchronized (this) {
            if (ponging || closing) {
                return;
            }
            ponging = true;
        }
        send(OpCode.PONG, payload, () -> ponging = false);
    }

    private void send(byte control, byte[] payload, Runnable sent) {
        open().sendFrame(
                        new Frame(control, ByteBuffer.wrap(payload)),
                        Callback.from(
                                () -> {
                                    synchronized (this) {
                                        sent.run();
                                    }
                                },
                                _ -> cutOff()),
                        false);
    }

    void cutOff() {
        open().abort();
    }

    @Override
    public void onError(Throwable cause, Callback callback) {
        callback.succeeded();
    }

    @Override
    public void onClosed(CloseStatus status, Callback callback) {
        synchronized (this) {
            closing = true;
            queue.clear();
            notifyAll();
        }
        all.closed(this);
        callback.succeeded();
        handler.closed();
    }

    private CoreSession open() {
        if (session == null) {
            throw new IllegalStateException("the socket is not open yet");
        }
        return session;
    }

    /**
     * A close whose answer is awaited whatever its code: a connection that is closed while its peer still sends is
     * reset, and the peer never reads why (RFC 6455 §7.1.1).
     */
    private static final class Farewell extends CloseStatus {
        Farewell(int code, String reason) {
            super(code, reason);
        }

        @Override
        public boolean isAbnormal() {
            return false;
        }
    }

    /** Writes the queued frames one after the other, on the thread that calls it. */
    private final class Flusher extends IteratingCallback {
        private int writing;

        @Override
        protected Action process() {
            byte[] next;
            synchronized (WebSocketChannel.this) {
                queued -= writing;
                next = queue.poll();
                writing = next == null ? 0 : next.length;
                WebSocketChannel.this.notifyAll();
            }
            if (next == null) {
                return Action.IDLE;
            }
            open().sendFrame(new Frame(OpCode.TEXT, ByteBuffer.wrap(next)), this, false);
            return Action.SCHEDULED;
        }

        @Override
        protected void onCompleteFailure(Throwable failure) {
            cutOff();
        }
    }
}
