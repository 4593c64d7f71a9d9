package dev.inboxd.base.http;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.ContainerLifeCycle;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.WebSocketComponents;
import org.eclipse.jetty.websocket.core.server.Handshaker;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeRequest;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeResponse;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;

/** The WebSockets of a server: it upgrades connections, and pings them to find those whose peer is gone. */
final class WebSockets extends ContainerLifeCycle {
    private static final Handshaker HANDSHAKER = Handshaker.newInstance();
    /** How long a peer may take to receive the close frame and to answer it. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Server server;
    private final ErrorRenderer errors;
    private final Duration ping;
    private final WebSocketComponents components;
    private final Set<WebSocketChannel> open = ConcurrentHashMap.newKeySet();

    /** @param ping interval of pings */
    WebSockets(Server server, ErrorRenderer errors, Duration ping) {
        this.server = server;
        this.errors = errors;
        this.ping = ping;
        this.components =
                new WebSocketComponents(null, null, server.getByteBufferPool(), null, null, server.getThreadPool());
        addBean(components);
    }

    ErrorRenderer errors() {
        return errors;
    }

    /** Whether a request asks for a WebSocket, over HTTP/1.1 or HTTP/2 (RFC 6455 §4.2.1, RFC 8441 §4). */
    static boolean asks(Request in) {
        // A proxy that drops these two fields leaves the others: that request asks for nothing.
        boolean isHttp1 = in.getConnectionMetaData().getHttpVersion().getVersion() <= 11;
        boolean isUpgrade = in.getHeaders().contains(HttpHeader.UPGRADE, "websocket")
                && in.getHeaders().contains(HttpHeader.CONNECTION, "upgrade");
        return HANDSHAKER.isWebSocketUpgradeRequest(in) && (!isHttp1 || isUpgrade);
    }

    /**
     * Upgrades a connection to a WebSocket.
     *
     * @return false when the request breaks RFC 6455 §4.2.1; then no answer was sent
     */
    boolean upgrade(Request in, Response out, Callback callback, WebSocketHandler handler) {
        return HANDSHAKER.upgradeRequest(
                new Negotiator(new WebSocketChannel(this, handler)), in, out, callback, components, null);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        ping();
    }

    /** Pings at intervals until the scheduler stops. */
    private void ping() {
        open.forEach(WebSocketChannel::ping);
        server.getScheduler().schedule(this::ping, ping.toMillis(), TimeUnit.MILLISECONDS);
    }

    void opened(WebSocketChannel socket) {
        open.add(socket);
    }

    void closed(WebSocketChannel socket) {
        open.remove(socket);
    }

    void abortLater(WebSocketChannel socket) {
        server.getScheduler()
                .schedule(
                        () -> {
                            if (open.contains(socket)) {
                                socket.cutOff();
                            }
                        },
                        CLOSE_TIMEOUT.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /** No extensions: compression would cost each socket more memory than everything else. */
    private record Negotiator(WebSocketChannel socket) implements WebSocketNegotiator {
        @Override
        public FrameHandler negotiate(ServerUpgradeRequest in, ServerUpgradeResponse out, Callback callback) {
            out.setExtensions(List.of());
            return socket;
        }

        @Override
        public void customize(Configuration configuration) {
            configuration.setIdleTimeout(Duration.ZERO); // pings find a dead peer
            configuration.setAutoFragment(true);
            configuration.setMaxFrameSize(WebSocketChannel.LARGEST_TEXT);
            configuration.setMaxTextMessageSize(0); // the socket counts by itself
            configuration.setInputBufferSize(1024);
            configuration.setOutputBufferSize(1024);
        }
    }
}
