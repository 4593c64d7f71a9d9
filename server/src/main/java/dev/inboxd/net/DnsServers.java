package dev.inboxd.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.xbill.DNS.ResolverConfig;

/** The recursive DNS servers. Read once, at the start. */
public final class DnsServers {
    private DnsServers() {}

    /** The servers of the operating system's configuration. */
    public static List<InetSocketAddress> ofSystem() {
        return List.copyOf(ResolverConfig.getCurrentConfig().servers());
    }

    /**
     * Parses {@code 192.0.2.53,192.0.2.54:5353,[2001:db8::53]:53}; the default port is 53.
     *
     * @throws IllegalArgumentException with a sentence that names the faulty entry
     */
    public static List<InetSocketAddress> parse(String setting) {
        return Stream.of(setting.split(",", -1))
                .map(String::strip)
                .map(DnsServers::server)
                .toList();
    }

    private static InetSocketAddress server(String text) {
        int colon = text.indexOf(':', Math.max(0, text.lastIndexOf(']')));
        String host = colon < 0 ? text : text.substring(0, colon);
        String port = colon < 0 ? "53" : text.substring(colon + 1);
        // A name would have to be looked up before there is a server to look it up.
        if (!(Host.classify(host) instanceof Host.Address(InetAddress address))) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address with an optional port.");
        }
        try {
            return new InetSocketAddress(address, Integer.parseInt(port));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' does not end in a port.", e);
        }
    }
}
