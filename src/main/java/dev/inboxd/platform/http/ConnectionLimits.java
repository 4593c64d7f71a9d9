package dev.inboxd.platform.http;

import dev.inboxd.platform.rate.ClientNetwork;
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
 * Keeps peers from holding connections for nothing: at most so many from one origin, and none that has neither a
 * request in progress nor finished sending the next one's header in time, however slowly it trickles in.
 */
final class ConnectionLimits extends Handler.Wrapper implements Connection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimits.class);

    private final ConcurrentHashMap<Connection, Peer> open = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Integer> perAddress = new ConcurrentHashMap<>();
    private final Limits limits;
    private final Predicate<InetAddress> exempt;

    /** @param exempt peers that stand for many clients and may have any number of connections */
    ConnectionLimits(Limits limits, Predicate<InetAddress> exempt, Handler handler) {
        super(handler);
        this.limits = limits;
        this.exempt = exempt;
    }

    /**
     * What a peer may do.
     *
     * @param silence how long a connection may be open, or open again after an answer, without a whole request header
     * @param connections how many connections one address may have
     * @param ping between two questions whether the peer of a WebSocket is still there
     * @param idle how long a read of a body or a write of an answer may make no progress
     * @param minimumRate at which answers are taken
     */
    record Limits(
            Duration silence, int connections, Duration ping, Duration idle, ResponseWriter.MinimumRate minimumRate) {
        static final Limits USUAL = new Limits(Duration.ofSeconds(30), 1_000);

        /** With the usual pings (events.md §5.2). */
        Limits(Duration silence, int connections) {
            this(silence, connections, Duration.ofSeconds(30), Duration.ofSeconds(30));
        }

        /** With the usual pace. */
        Limits(Duration silence, int connections, Duration ping, Duration idle) {
            this(silence, connections, ping, idle, ResponseWriter.MinimumRate.USUAL);
        }
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection.getEndPoint() instanceof SslConnection.SslEndPoint) {
            return; // inside TLS, which was counted when it began
        }
        // A closed connection knows its peer no longer, so the address is kept.
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

    /** What the peer's bytes come over: under TLS, it is beneath the connection that speaks HTTP. */
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
        // Not when its handler returns: it may answer later.
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

    /** Closes the silent ones now and then, until the scheduler stops. */
    private void watch() {
        long now = System.nanoTime();
        open.forEach((connection, peer) -> {
            if (!isSocket(connection) && peer.inProgress.get() == 0 && now - peer.since > limits.silence.toNanos()) {
                try {
                    // HTTP/2 says that it is leaving and lets the peer close (RFC 9113 §6.8); who does not, is cut off.
                    if (peer.toldToGo) {
                        connection.getEndPoint().close();
                    } else {
                        peer.toldToGo = true;
                        connection.close();
                    }
                } catch (RuntimeException failed) {
                    LOG.warn("a silent connection did not close", failed);
                }
            }
        });
        getServer().getScheduler().schedule(this::watch, limits.silence.toMillis() / 4, TimeUnit.MILLISECONDS);
    }

    private static final class Peer {
        final String address;
        final AtomicInteger inProgress = new AtomicInteger();
        volatile long since = System.nanoTime();
        volatile boolean toldToGo;

        Peer(String address) {
            this.address = address;
        }
    }
}
