package dev.inboxd.base.http;

import dev.inboxd.base.tls.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the HTTP server.
 *
 * @param address where it listens
 * @param docsUrl the documentation that errors link to, without a slash at the end
 * @param drain how long a stop waits for requests in flight
 * @param idle how long a connection without a request is kept
 * @param clients proxies and origins of callers
 * @param tls the certificate of HTTPS; null to serve HTTP
 */
public record HttpSettings(
        ListenAddress address,
        String docsUrl,
        Duration drain,
        Duration idle,
        Clients clients,
        @Nullable ServerTls tls) {
    /** Connections that may wait to be accepted. */
    static final int BACKLOG = 1024;

    /**
     * Listen address of a server.
     *
     * @param host the address to bind
     * @param port the port
     * @param held the socket that is bound to the port already, or null
     */
    public record ListenAddress(
            String host, int port, @Nullable ServerSocketChannel held) {
        /**
         * Binds a port and keeps it; port 0 binds any free one.
         *
         * @throws IOException when no port is available
         */
        public static ListenAddress at(InetAddress address, int port) throws IOException {
            if (port != 0) {
                return new ListenAddress(address.getHostAddress(), port, null);
            }
            ServerSocketChannel held = ServerSocketChannel.open();
            held.bind(new InetSocketAddress(address, 0), BACKLOG);
            return new ListenAddress(address.getHostAddress(), held.socket().getLocalPort(), held);
        }
    }

    /**
     * Callers.
     *
     * @param proxies addresses and networks (CIDR) of proxies whose statement of a caller's address is trusted
     * @param origins origins of web pages that may call; empty for any
     * @param pages what pages may not do
     */
    public record Clients(List<String> proxies, List<String> origins, PageRule pages) {
        /** No trusted proxies, and any origin. */
        public static final Clients ANY = new Clients(List.of(), List.of());

        public Clients {
            proxies = List.copyOf(proxies);
            origins = List.copyOf(origins);
        }

        /** The same callers under another rule for pages. */
        public Clients with(PageRule rule) {
            return new Clients(proxies, origins, rule);
        }

        /** Pages may do everything that programs may. */
        Clients(List<String> proxies, List<String> origins) {
            this(proxies, origins, PageRule.NONE);
        }
    }
}
