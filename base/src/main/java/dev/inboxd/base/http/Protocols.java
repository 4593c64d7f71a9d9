package dev.inboxd.base.http;

import dev.inboxd.base.tls.ServerTls;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * The protocols of a port: HTTP/1.1 and HTTP/2. With TLS, client and server agree on one in the handshake (ALPN,
 * RFC 7301); without TLS, the client chooses with its first bytes (RFC 9113 §3.3).
 */
final class Protocols {
    private static final int STREAMS = 100;
    /** More than common clients send at all: 64 KiB, and 32 bytes for each field. */
    private static final int LARGE_HEADER = 96 * 1024;

    private static final int STREAM_WINDOW = 256 * 1024;
    private static final int CONNECTION_WINDOW = 512 * 1024;

    private Protocols() {}

    /**
     * The connection factories; the first one begins each connection.
     *
     * @param idle how long reading a body or writing an answer may make no progress
     */
    static List<ConnectionFactory> of(HttpConfiguration configuration, @Nullable ServerTls tls, Duration idle) {
        HttpConnectionFactory http1 = new HttpConnectionFactory(configuration);
        if (tls == null) {
            return List.of(http1, bounded(new PriorKnowledge(withLargeHeader(configuration)), idle));
        }
        // There is one certificate, so the server name in the handshake selects nothing.
        configuration.addCustomizer(new SecureRequestCustomizer(false));
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(http1.getProtocol());
        return List.of(
                new SslConnectionFactory(server(tls), alpn.getProtocol()),
                alpn,
                bounded(new HTTP2ServerConnectionFactory(withLargeHeader(configuration)), idle),
                http1);
    }

    /**
     * A header that is too large must be read to its end, or the state of the compression is lost and with it the
     * session of all other streams (RFC 9113 §10.5.1); {@link HeaderLimit} refuses it then.
     */
    private static HttpConfiguration withLargeHeader(HttpConfiguration configuration) {
        HttpConfiguration large = new HttpConfiguration(configuration);
        large.setRequestHeaderSize(LARGE_HEADER);
        return large;
    }

    private static SslContextFactory.Server server(ServerTls tls) {
        SslContextFactory.Server server = new SslContextFactory.Server();
        server.setSslContext(tls.context());
        server.setIncludeProtocols(ServerTls.PROTOCOLS.toArray(new String[0]));
        // RFC 5746 §3.7 lets a server refuse renegotiation. No client needs it, and it costs work that a peer could
        // demand.
        server.setRenegotiationAllowed(false);
        return server;
    }

    private static ConnectionFactory bounded(AbstractHTTP2ServerConnectionFactory http2, Duration idle) {
        http2.setStreamIdleTimeout(idle.toMillis());
        http2.setMaxConcurrentStreams(STREAMS);
        http2.setInitialStreamRecvWindow(STREAM_WINDOW);
        http2.setInitialSessionRecvWindow(CONNECTION_WINDOW);
        http2.setConnectProtocolEnabled(false);
        http2.setRateControlFactory(FrameRate.FACTORY);
        return http2;
    }

    /**
     * HTTP/2 without TLS by prior knowledge. RFC 9113 §3.1 has dropped the other way, the header {@code Upgrade: h2c}:
     * a proxy that passes it on would let a client bypass the proxy.
     */
    private static final class PriorKnowledge extends HTTP2CServerConnectionFactory {
        PriorKnowledge(HttpConfiguration configuration) {
            super(configuration);
        }

        @Override
        public @Nullable Connection upgradeConnection(
                Connector connector, EndPoint endPoint, MetaData.Request request, HttpFields.Mutable response) {
            return HttpMethod.PRI.is(request.getMethod())
                    ? super.upgradeConnection(connector, endPoint, request, response)
                    : null;
        }
    }
}
