package dev.inboxd.http;

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
 * Finds who is behind trusted proxies: of the addresses that they have added to {@code X-Forwarded-For}, or without it
 * to {@code Forwarded} (RFC 7239 §5.2), the last one that is no trusted proxy itself. What a client wrote there before
 * them is never reached.
 */
final class Proxies extends Handler.Wrapper {
    /** The attribute that carries the caller's address. */
    static final String CLIENT = Proxies.class.getName();

    private final List<Network> trusted;

    /** @param trusted addresses and networks in CIDR form */
    Proxies(List<String> trusted, Handler handler) {
        super(handler);
        this.trusted = trusted.stream().map(Network::of).toList();
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Network(byte[] address, int bits) {
        static Network of(String text) {
            int slash = text.indexOf('/');
            byte[] address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
            return new Network(address,
                    slash < 0 ? address.length * Byte.SIZE : Integer.parseInt(text.substring(slash + 1)));
        }

        boolean covers(byte[] other) {
            boolean same = other.length == address.length;
            for (int bit = 0; same && bit < bits; bit++) {
                int mask = 0x80 >> bit % Byte.SIZE;
                same = (address[bit / Byte.SIZE] & mask) == (other[bit / Byte.SIZE] & mask);
            }
            return same;
        }
    }

    /** Whether that peer is one of ours. */
    boolean isTrusted(InetAddress peer) {
        byte[] address = peer.getAddress();
        return trusted.stream().anyMatch(network -> network.covers(address));
    }

    @Override
    public boolean handle(Request in, Response out, Callback callback) throws Exception {
        SocketAddress remote = in.getConnectionMetaData().getRemoteSocketAddress();
        if (!trusted.isEmpty() && remote instanceof InetSocketAddress peer && peer.getAddress() != null) {
            in.setAttribute(CLIENT, client(peer.getAddress(), in.getHeaders()));
        }
        return super.handle(in, out, callback);
    }

    String client(InetAddress peer, HttpFields headers) {
        InetAddress client = peer;
        for (String hop : hops(headers).reversed()) {
            InetAddress before = isTrusted(client) ? literal(hop) : null;
            if (before == null) {
                break;
            }
            client = before;
        }
        return client.getHostAddress();
    }

    private static List<String> hops(HttpFields headers) {
        List<String> values = headers.getValuesList("X-Forwarded-For");
        boolean forwarded = values.isEmpty();
        List<String> hops = new ArrayList<>();
        for (String value : forwarded ? headers.getValuesList("Forwarded") : values) {
            StringTokenizer elements = new StringTokenizer(value, ",");
            while (elements.hasMoreTokens()) {
                String element = elements.nextToken().strip();
                hops.add(forwarded ? whom(element) : element);
            }
        }
        return hops;
    }

    /** RFC 7239 §4: the value of {@code for} among the pairs of an element; empty without one. */
    private static String whom(String element) {
        StringTokenizer pairs = new StringTokenizer(element, ";");
        while (pairs.hasMoreTokens()) {
            String pair = pairs.nextToken().strip();
            if (pair.toLowerCase(Locale.ROOT).startsWith("for=")) {
                return pair.substring("for=".length()).replace("\"", "");
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
