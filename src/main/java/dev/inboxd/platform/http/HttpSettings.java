package dev.inboxd.platform.http;

import dev.inboxd.platform.tls.ServerTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where and how the server listens.
 *
 * @param address where it listens
 * @param docsUrl the documentation that errors link to, without a slash at the end
 * @param drain how long a stop waits for requests in flight
 * @param clients who calls, and from where
 * @param tls the certificate of HTTPS; null to serve HTTP
 */
public record HttpSettings(
        ListenAddress address,
        String docsUrl,
        Duration drain,
        Clients clients,
        @Nullable ServerTls tls) {
    /** As many as may wait to be accepted. */
    static final int BACKLOG = 1024;

    /**
     * Where a server listens.
     *
     * @param host the address to bind
     * @param port the port
     * @param held the socket that has the port already, or null
     */
    public record ListenAddress(
            String host, int port, @Nullable ServerSocketChannel held) {
        /**
         * A place at that port; for 0 at any free one, which nobody else can take from now on.
         *
         * @throws IOException when there is none
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
     * Who calls.
     *
     * @param proxies whose word for a caller's address is believed, addresses and networks in CIDR form
     * @param origins of web pages that may call; empty for any
     */
    public record Clients(List<String> proxies, List<String> origins) {
        /** No proxies, and any web page. */
        public static final Clients ANY = new Clients(List.of(), List.of());

        public Clients {
            proxies = List.copyOf(proxies);
            origins = List.copyOf(origins);
        }
    }
}
