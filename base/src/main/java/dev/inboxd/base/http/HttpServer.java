package dev.inboxd.base.http;

import dev.inboxd.base.http.proxy.TrustedProxies;
import dev.inboxd.base.log.Metrics;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The HTTP server: Jetty's core, with a virtual thread for each request. */
public final class HttpServer implements AutoCloseable {
    /** Largest request line and header together, in bytes: a payment of 16 KiB (payments.md §6.2) and other fields. */
    static final int HEADER = 24 * 1024;
    /** Room for the offers of a call that is paid for; clients commonly read no more. */
    private static final int RESPONSE_HEADER = 16 * 1024;

    private static final int CONNECTIONS = 20_000;

    private final Server server;
    private final ServerConnector connector;

    private HttpServer(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /**
     * Starts a server. It accepts requests when this returns.
     *
     * @throws IOException when the port is not available
     */
    public static HttpServer start(HttpSettings settings, RouteTable routes, RequestGuards guards, Metrics metrics)
            throws IOException {
        ErrorRenderer errors = new ErrorRenderer(settings.docsUrl());
        ConnectionLimits.Limits limits = ConnectionLimits.Limits.of(settings.idle());
        return start(settings, new RequestPipeline(routes, guards, errors, metrics), limits);
    }

    static HttpServer start(HttpSettings settings, RequestPipeline pipeline, ConnectionLimits.Limits limits)
            throws IOException {
        pipeline.ping(limits.ping());
        // A few platform threads select; handlers run on virtual threads.
        QueuedThreadPool threads = new QueuedThreadPool(16, 4);
        threads.setName("http");
        threads.setVirtualThreadsExecutor(Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("http-request").factory()));
        ArrayByteBufferPool buffers = new ArrayByteBufferPool(0, 4096, 128 * 1024, 256, 4 << 20, 16 << 20);
        Server server = new Server(threads, null, buffers);
        List<ConnectionFactory> protocols = Protocols.of(configuration(), settings.tls(), limits.idle());
        ServerConnector connector = new ServerConnector(server, 1, 1, protocols.toArray(new ConnectionFactory[0]));
        connector.setHost(settings.address().host());
        connector.setPort(settings.address().port());
        connector.setIdleTimeout(limits.patience().toMillis());
        connector.setAcceptQueueSize(HttpSettings.BACKLOG);
        TrustedProxies proxies = callers(settings.clients(), pipeline);
        HeaderLimit headers = new HeaderLimit(pipeline.protocolErrors(), proxies);
        ConnectionLimits connections = new ConnectionLimits(limits, proxies::isTrusted, headers);
        connector.addBean(connections, false);
        connector.addBean(limits.minimumRate(), false);
        connector.addBean(new KeptConnection(limits.silence(), limits.idle()), false);
        connector.addBean(new NetworkConnectionLimit(CONNECTIONS, connector));
        server.addConnector(connector);
        server.setHandler(new GracefulHandler(connections));
        server.setErrorHandler(pipeline.protocolErrors());
        server.setStopTimeout(settings.drain().toMillis());
        try {
            if (settings.address().held() != null) {
                connector.open(settings.address().held());
            }
            server.start();
        } catch (IOException unavailable) {
            throw unavailable;
        } catch (Exception failed) {
            throw new IllegalStateException("the HTTP server did not start", failed);
        }
        return new HttpServer(server, connector);
    }

    /** Who calls, and which pages may. */
    private static TrustedProxies callers(HttpSettings.Clients clients, RequestPipeline pipeline) {
        Cors cors = new Cors(Set.copyOf(clients.origins()), pipeline);
        return new TrustedProxies(clients.proxies(), new PageGuard(clients.pages(), pipeline.protocolErrors(), cors));
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setRequestHeaderSize(HEADER);
        configuration.setMaxResponseHeaderSize(RESPONSE_HEADER);
        configuration.setOutputBufferSize(16 * 1024);
        // Jetty caches the header fields of a connection and by default looks them up without regard to case: a key
        // that differs from the last one only by case would be taken for that one.
        configuration.setHeaderCacheCaseSensitive(true);
        // RFC 9112 §2.2, §5.2, §6.3: bare LF, obs-fold, and Content-Length beside Transfer-Encoding are refused.
        configuration.setHttpCompliance(HttpCompliance.STRICT);
        // An escaped slash or percent sign in an id is ordinary here: the path is split before it is decoded, and
        // decoded once.
        configuration.setUriCompliance(UriCompliance.from(EnumSet.of(
                Violation.AMBIGUOUS_PATH_SEGMENT,
                Violation.AMBIGUOUS_EMPTY_SEGMENT,
                Violation.AMBIGUOUS_PATH_SEPARATOR,
                Violation.AMBIGUOUS_PATH_PARAMETER,
                Violation.AMBIGUOUS_PATH_ENCODING,
                Violation.SUSPICIOUS_PATH_CHARACTERS,
                Violation.ILLEGAL_PATH_CHARACTERS)));
        return configuration;
    }

    /** The port it listens on. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Stops accepting requests, waits for those in flight as long as the settings say, and stops. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("the HTTP server did not stop cleanly", failed);
        }
    }
}
