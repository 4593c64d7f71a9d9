package dev.inboxd.notify.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.tls.TrustAnyone;
import dev.inboxd.reference.ResponseContract;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The JDK's own WebSocket client, with what it was told in the order it came. */
public final class SocketProbe implements WebSocket.Listener, AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final HttpClient SECURE = secure();

    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final StringBuilder partial = new StringBuilder();
    private @Nullable WebSocket socket;

    private SocketProbe() {}

    private static HttpClient secure() {
        try {
            return HttpClient.newBuilder().sslContext(TrustAnyone.context()).build();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What the server said. */
    public record Frame(Map<?, ?> json, String text) {
        /** What kind of frame it is. */
        public String type() {
            return String.valueOf(json.get("type"));
        }

        /** A member as text. */
        public String text(String member) {
            return String.valueOf(json.get(member));
        }

        /** The subject of the message in an event frame. */
        public String subject() {
            return json.get("message") instanceof Map<?, ?> message ? String.valueOf(message.get("subject")) : "";
        }
    }

    /** Opens a socket with the key in the header. */
    public static SocketProbe open(int port, String key) {
        return openWith(port, "", "Authorization", "Bearer " + key);
    }

    /** Opens a socket with that query and these headers, names and values in turn. */
    public static SocketProbe openWith(int port, String query, String... headers) {
        return connect(CLIENT.newWebSocketBuilder(), "ws://127.0.0.1:" + port, query, headers);
    }

    /** Opens a socket over TLS. */
    static SocketProbe openSecure(int port, String query, String... headers) {
        return connect(SECURE.newWebSocketBuilder(), "wss://127.0.0.1:" + port, query, headers);
    }

    private static SocketProbe connect(WebSocket.Builder builder, String base, String query, String... headers) {
        SocketProbe probe = new SocketProbe();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        probe.socket =
                builder.buildAsync(URI.create(base + "/v0" + query), probe).join();
        return probe;
    }

    /** The status that refuses a socket. */
    static int refusal(int port, String query, String... headers) {
        try (SocketProbe opened = openWith(port, query, headers)) {
            throw new AssertionError("it was opened, and is open: " + opened.isOpen());
        } catch (CompletionException refused) {
            if (refused.getCause() instanceof WebSocketHandshakeException handshake) {
                return handshake.getResponse().statusCode();
            }
            throw refused;
        }
    }

    private WebSocket socket() {
        return Objects.requireNonNull(socket);
    }

    /** Sends a frame. */
    public SocketProbe say(String text) {
        socket().sendText(text, true).join();
        return this;
    }

    /** Subscribes with further members, {@code ,"cursor":"…"} for example, and waits until it is in force. */
    public SocketProbe subscribe(String members) {
        say("""
                {"type":"subscribe"%s}""".formatted(members));
        Frame frame = next();
        assertThat(frame.type()).as(frame.text()).isEqualTo("subscribed");
        return this;
    }

    /** Sends a frame of bytes. */
    void sayBytes(byte[] bytes) {
        socket().sendBinary(ByteBuffer.wrap(bytes), true).join();
    }

    /** The next frame; fails when none comes within a time that is never needed. */
    public Frame next() {
        try {
            Frame frame = frames.poll(20, TimeUnit.SECONDS);
            assertThat(frame).as("a frame").isNotNull();
            assertThat(ResponseContract.faultOfEvent(frame.text().getBytes(StandardCharsets.UTF_8)))
                    .as(frame::text)
                    .isEmpty();
            return frame;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    /** The subjects of the messages that the next so many frames tell of. */
    List<String> subjects(int count) {
        List<String> subjects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            subjects.add(next().subject());
        }
        return subjects;
    }

    /** Everything that has come and was not asked for. */
    List<Frame> rest() {
        List<Frame> rest = new ArrayList<>();
        frames.drainTo(rest);
        return rest;
    }

    /** The code with which the server closed. */
    public int closeCode() {
        return closed.orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** Whether the server has not closed it. */
    public boolean isOpen() {
        return !closed.isDone();
    }

    @Override
    public void onOpen(WebSocket opened) {
        opened.request(Long.MAX_VALUE);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            String text = partial.toString();
            partial.setLength(0);
            Object json = Json.parse(text.getBytes(StandardCharsets.UTF_8));
            frames.add(new Frame((Map<?, ?>) Objects.requireNonNull(json), text));
        }
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closed.complete(code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        closed.completeExceptionally(error);
    }

    /** Leaves as a client does. */
    @Override
    public void close() {
        socket().sendClose(1000, "").exceptionally(gone -> null).join();
    }

    /** Is gone without a word. */
    void vanish() {
        socket().abort();
    }
}
