package dev.inboxd.base.rate;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The network of a client, as far as it belongs to one customer: an IPv4 address, or the /64 network of an IPv6
 * address, because each customer has at least one whole /64 (RFC 6177 §2).
 */
public final class ClientNetwork {
    private static final int NETWORK_OCTETS = 8;

    private ClientNetwork() {}

    /** The network of an address. */
    public static String of(InetAddress address) {
        return address instanceof Inet6Address
                ? HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK_OCTETS)) + "::/64"
                : address.getHostAddress();
    }

    /** The network of an address as text; any other text is returned unchanged. */
    public static String of(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            return of(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException noAddress) {
            return address;
        }
    }
}
