package dev.inboxd.net;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ports at which this server listens. What it fetches for a user never goes there: from here it would come from
 * this machine, which is trusted with more than the user is.
 */
public final class OwnPorts {
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    /** Adds a port; 0 stands for one that is not known yet. */
    public void add(int port) {
        if (port != 0) {
            ports.add(port);
        }
    }

    /** Whether a connection to this address and port would reach this server, by an IPv4 address in it too. */
    boolean covers(InetAddress address, int port) {
        return ports.contains(port) && EmbeddedIpv4.all(address).stream().anyMatch(OwnPorts::isHere);
    }

    /** Whether the name of this very machine is meant, whatever DNS says (RFC 6761 §6.3). */
    boolean covers(Host host, int port) {
        return switch (host) {
            case Host.Address(InetAddress address) -> covers(address, port);
            case Host.Name(String name) -> ports.contains(port) && Dns.isLocalhost(name);
            case Host.Malformed _ -> false;
        };
    }

    private static boolean isHere(InetAddress address) {
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException unknown) {
            return false;
        }
    }
}
