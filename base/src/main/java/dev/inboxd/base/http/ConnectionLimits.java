package dev.inboxd.base.http;

import dev.inboxd.base.rate.ClientNetwork;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.WebSocketConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits what peers hold: the connections of one address, and the time a connection stays open without a request in
 * progress or the whole header of the next one, however slowly that header trickles in.
 */
final class ConnectionLimits extends Handler.Wrapper implements Connection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimits.class);

    private final ConcurrentHashMap<Connection, Peer> open = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Integer> perAddress = new ConcurrentHashMap<>();
    private final Limits limits;
    private final Predicate<InetAddress> exempt;

    /** @param exempt peers that stand for many clients, such as trusted proxies; their connections are not limited */
    ConnectionLimits(Limits limits, Predicate<InetAddress> exempt, Handler handler) {
        super(handler);
        this.limits = limits;
        this.exempt = exempt;
    }

    /**
     * The limits.
     *
     * @param silence how long a connection may stay open, from its start or its last answer, without a whole request
     *     header
     * @param connections connections of one address
     * @param ping interval of WebSocket pings
     * @param idle how long reading a body or writing an answer may make no progress
     * @param minimumRate rate at which a peer must take answers
     */
    record Limits(
            Duration silence, int connections, Duration ping, Duration idle, ResponseWriter.MinimumRate minimumRate) {
        static final Limits USUAL = of(Duration.ofSeconds(75));

        /** The usual limits of a server that keeps idle connections for this time. */
        static Limits of(Duration silence) {
            return new Limits(silence, 1_000);
        }

        /** With the standard ping interval (events.md §5.2). */
        Limits(Duration silence, int connections) {
            this(silence, connections, Duration.ofSeconds(30), Duration.ofSeconds(30));
        }

        /** With the standard minimum rate. */
        Limits(Duration silence, int connections, Duration ping, Duration idle) {
            this(silence, connections, ping, idle, ResponseWriter.MinimumRate.USUAL);
        }

        /** How long a silent connection is kept: longer than the peer is told, so that its last request is not lost. */
        Duration patience() {
            return silence.plusSeconds(1);
        }
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection.getEndPoint() instanceof SslConnection.SslEndPoint) {
            return; // the TLS connection around this one is counted already
        }
        // A closed connection has no remote address any more, so the address is stored.
        Peer peer = new Peer(address(connection));
        open.put(connection, peer);
        if (perAddress.merge(peer.address, 1, Integer::sum) > limits.connections && !isExempt(connection)) {
            connection.close();
        }
    }

    @Override
    public void onClosed(Connection connection) {
        Peer peer = open.remove(connection);
        if (peer != null) {
            perAddress.computeIfPresent(peer.address, (address, count) -> count == 1 ? null : count - 1);
        }
    }

    /** The connection that carries the peer's bytes: under TLS, the one below the connection that speaks HTTP. */
    static Connection carrier(Connection connection) {
        return connection.getEndPoint() instanceof SslConnection.SslEndPoint tls ? tls.getSslConnection() : connection;
    }

    /** A WebSocket, under TLS too, is silent for hours and has its own pings. */
    private static boolean isSocket(Connection connection) {
        return (connection instanceof SslConnection tls ? tls.getSslEndPoint().getConnection() : connection)
                instanceof WebSocketConnection;
    }

    private boolean isExempt(Connection connection) {
        return connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress inet
                && inet.getAddress() != null
                && exempt.test(inet.getAddress());
    }

    private static String address(Connection connection) {
        SocketAddress remote = connection.getEndPoint().getRemoteSocketAddress();
        return remote instanceof InetSocketAddress inet && inet.getAddress() != null
                ? ClientNetwork.of(inet.getAddress())
                : "unknown";
    }

    @Override
    public boolean handle(Request in, Response out, Callback callback) throws Exception {
        Peer peer = open.get(carrier(in.getConnectionMetaData().getConnection()));
        if (peer == null) {
            return super.handle(in, out, callback);
        }
        peer.inProgress.incrementAndGet();
        // The request ends with its answer, not when its handler returns: the answer may come later.
        Request.addCompletionListener(in, _ -> {
            peer.since = System.nanoTime();
            peer.inProgress.decrementAndGet();
        });
        return super.handle(in, out, callback);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        watch();
    }

    /** Closes silent connections at intervals, until the scheduler stops. */
    private void watch() {
        long now = System.nanoTime();
        open.forEach((connection, peer) -> {
            if (!isSocket(connection)
                    && peer.inProgress.get() == 0
                    && now - peer.since > limits.patience().toNanos()) {
                try {
                    // HTTP/2 announces the end with GOAWAY and lets the peer close (RFC 9113 §6.8). A peer that does
                    // not close is cut off.
                    if (peer.goAwaySent) {
                        connection.getEndPoint().close();
                    } else {
                        peer.goAwaySent = true;
                        connection.close();
                    }
                } catch (RuntimeException failed) {
                    LOG.warn("closing an idle connection failed", failed);
                }
            }
        });
        getServer().getScheduler().schedule(this::watch, limits.silence.toMillis() / 4, TimeUnit.MILLISECONDS);
    }

    private static final class Peer {
        final String address;
        final AtomicInteger inProgress = new AtomicInteger();
        volatile long since = System.nanoTime();
        volatile boolean goAwaySent;

        Peer(String address) {
            this.address = address;
        }
    }
}
