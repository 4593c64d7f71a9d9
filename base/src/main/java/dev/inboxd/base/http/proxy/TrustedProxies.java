package dev.inboxd.base.http.proxy;

import dev.inboxd.base.rate.Networks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringTokenizer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Finds the client behind trusted proxies, and its protocol: the last address in {@code X-Forwarded-For}, or without
 * that field in {@code Forwarded} (RFC 7239 §5.2), that is not a trusted proxy itself. Addresses that the client wrote
 * before it are never reached.
 */
public final class TrustedProxies extends Handler.Wrapper {
    /** The attribute that carries the {@link Client}. */
    public static final String CLIENT = TrustedProxies.class.getName();

    private static final String HTTPS = "https";

    private final Networks trusted;

    /**
     * The client as it reached the first trusted proxy.
     *
     * @param address without a port
     * @param secure whether it came over TLS
     */
    public record Client(String address, boolean secure) {}

    /** One hop in a proxy's header: an address, perhaps with a port, and a protocol or an empty text. */
    private record Hop(String address, String protocol) {}

    /** @param trusted addresses and networks in CIDR form */
    public TrustedProxies(List<String> trusted, Handler handler) {
        super(handler);
        this.trusted = new Networks(trusted);
    }

    /** Whether the peer is a trusted proxy. */
    public boolean isTrusted(InetAddress peer) {
        return trusted.contains(peer);
    }

    @Override
    public boolean handle(Request in, Response out, Callback callback) throws Exception {
        SocketAddress remote = in.getConnectionMetaData().getRemoteSocketAddress();
        if (!trusted.isEmpty()
                && remote instanceof InetSocketAddress peer
                && peer.getAddress() != null
                && trusted.contains(peer.getAddress())) {
            in.setAttribute(CLIENT, client(peer.getAddress(), in.isSecure(), in.getHeaders()));
        }
        return super.handle(in, out, callback);
    }

    public Client client(InetAddress peer, boolean secure, HttpFields headers) {
        InetAddress client = peer;
        String protocol = last(elements(headers, "X-Forwarded-Proto"));
        for (Hop hop : hops(headers).reversed()) {
            InetAddress before = trusted.contains(client) ? literal(hop.address) : null;
            if (before == null) {
                break;
            }
            client = before;
            protocol = hop.protocol;
        }
        return new Client(client.getHostAddress(), protocol.isEmpty() ? secure : protocol.equalsIgnoreCase(HTTPS));
    }

    private static List<Hop> hops(HttpFields headers) {
        List<String> addresses = elements(headers, "X-Forwarded-For");
        if (addresses.isEmpty()) {
            return elements(headers, "Forwarded").stream()
                    .map(element -> new Hop(pair(element, "for="), pair(element, "proto=")))
                    .toList();
        }
        // Each proxy appends to both lists, or replaces the protocol by one value, which then counts.
        List<String> protocols = elements(headers, "X-Forwarded-Proto");
        boolean parallel = protocols.size() == addresses.size();
        List<Hop> hops = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            hops.add(new Hop(addresses.get(i), parallel ? protocols.get(i) : last(protocols)));
        }
        return hops;
    }

    private static String last(List<String> values) {
        return values.isEmpty() ? "" : values.getLast().strip();
    }

    private static List<String> elements(HttpFields headers, String name) {
        List<String> elements = new ArrayList<>();
        for (String value : headers.getValuesList(name)) {
            StringTokenizer list = new StringTokenizer(value, ",");
            while (list.hasMoreTokens()) {
                elements.add(list.nextToken().strip());
            }
        }
        return elements;
    }

    /** RFC 7239 §4: the value of a pair of an element; empty when there is none. */
    private static String pair(String element, String name) {
        StringTokenizer pairs = new StringTokenizer(element, ";");
        while (pairs.hasMoreTokens()) {
            String pair = pairs.nextToken().strip();
            if (pair.toLowerCase(Locale.ROOT).startsWith(name)) {
                return pair.substring(name.length()).replace("\"", "");
            }
        }
        return "";
    }

    /** An address, perhaps with a port; null for a name or anything else. */
    private static @Nullable InetAddress literal(String hop) {
        String address = hop;
        if (hop.startsWith("[") && hop.indexOf(']') > 0) {
            address = hop.substring(1, hop.indexOf(']'));
        } else if (hop.indexOf(':') >= 0 && hop.indexOf(':') == hop.lastIndexOf(':')) {
            address = hop.substring(0, hop.indexOf(':'));
        }
        try {
            return InetAddress.ofLiteral(address);
        } catch (IllegalArgumentException noAddress) {
            return null;
        }
    }
}
