package dev.inboxd.net;

import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.ProxyAuthenticationProtocolHandler;
import org.eclipse.jetty.client.RedirectProtocolHandler;
import org.eclipse.jetty.client.WWWAuthenticationProtocolHandler;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** Builds the HTTP client for {@link SafeHttp}: every convenience is switched off, and everything is bounded. */
final class HttpClients {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    /**
     * Less than the 5 s after which a common server closes, so that a post rarely meets a connection that is being
     * closed.
     */
    private static final Duration KEPT_IDLE = Duration.ofSeconds(4);

    private static final Duration DESTINATION_IDLE = Duration.ofSeconds(30);
    private static final int CONNECTIONS_PER_DESTINATION = 128;
    private static final int WAITING_PER_DESTINATION = 1024;
    private static final int MAX_HEADER = 16 * 1024;

    private HttpClients() {}

    /**
     * A started client.
     *
     * @param rules addresses and ports that may be reached
     * @param trust the certificate authorities to trust; null for the platform's
     */
    static HttpClient start(TargetRules rules, Dns dns, String userAgent, @Nullable KeyStore trust) {
        QueuedThreadPool threads = new QueuedThreadPool(6, 2);
        threads.setName("http-out");
        threads.setDaemon(true);
        Executor virtual = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("http-out-", 0).factory());
        threads.setVirtualThreadsExecutor(virtual);
        HttpClient client = new HttpClient(transport(threads, trust));
        client.setSocketAddressResolver(new VettedAddresses(dns, rules, virtual));
        client.setExecutor(threads);
        client.setName("http-out");
        client.setByteBufferPool(new ArrayByteBufferPool(0, 2048, 64 * 1024, 64, 4 << 20, 4 << 20));
        client.setUserAgentField(new HttpField(HttpHeader.USER_AGENT, userAgent));
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setFollowRedirects(false);
        client.setConnectTimeout(CONNECT.toMillis());
        client.setIdleTimeout(KEPT_IDLE.toMillis());
        client.setDestinationIdleTimeout(DESTINATION_IDLE.toMillis());
        client.setMaxConnectionsPerDestination(CONNECTIONS_PER_DESTINATION);
        client.setMaxRequestsQueuedPerDestination(WAITING_PER_DESTINATION);
        client.setMaxRequestHeadersSize(2 * MAX_HEADER);
        client.setMaxResponseHeadersSize(MAX_HEADER);
        client.setResponseBufferSize(4096);
        try {
            client.start();
        } catch (Exception e) {
            throw new IllegalStateException("outgoing HTTP did not start", e);
        }
        // The start adds these handlers. The remaining ones skip 1xx responses (RFC 9110 §15.2).
        client.getContentDecoderFactories().clear();
        client.getProtocolHandlers().remove(RedirectProtocolHandler.NAME);
        client.getProtocolHandlers().remove(WWWAuthenticationProtocolHandler.NAME);
        client.getProtocolHandlers().remove(ProxyAuthenticationProtocolHandler.NAME);
        return client;
    }

    private static HttpClientTransportOverHTTP transport(Executor threads, @Nullable KeyStore trust) {
        SslContextFactory.Client tls = new SslContextFactory.Client();
        tls.setEndpointIdentificationAlgorithm("HTTPS"); // RFC 9110 §4.3.4: the certificate must name the host
        if (trust != null) {
            tls.setTrustStore(trust);
        }
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setExecutor(threads);
        connector.setSslContextFactory(tls);
        HttpClientTransportOverHTTP transport = new HttpClientTransportOverHTTP(connector);
        // The listeners never block, so the selector thread may run them: no hand-over for each response.
        transport.setInvocationType(Invocable.InvocationType.NON_BLOCKING);
        return transport;
    }
}
