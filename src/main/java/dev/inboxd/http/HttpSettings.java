package dev.inboxd.http;

import dev.inboxd.tls.ServerTls;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where and how the server listens.
 *
 * @param host the address to bind
 * @param port the port; 0 for any free one
 * @param docsUrl the documentation that errors link to, without a slash at the end
 * @param drain how long a stop waits for requests in flight
 * @param clients who calls, and from where
 * @param tls the certificate of HTTPS; null to serve HTTP
 */
public record HttpSettings(
        String host, int port, String docsUrl, Duration drain, Clients clients, @Nullable ServerTls tls) {
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
