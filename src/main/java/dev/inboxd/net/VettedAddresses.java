package dev.inboxd.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;

/**
 * Turns the host of a new connection into addresses, exactly once, and refuses it when any of them may not be reached.
 * The client connects to the very addresses returned here, so a second, different DNS answer changes nothing.
 */
final class VettedAddresses implements SocketAddressResolver {
    /** Addresses tried for one connection. */
    private static final int MAX_TRIED = 4;

    /** So long what was asked ahead holds: who asked is connected to what was found. */
    private static final long AHEAD_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int MOST_AHEAD = 10_000;

    private final Dns dns;
    private final AddressPolicy policy;
    private final Executor executor;
    private final Map<String, Ahead> ahead = new ConcurrentHashMap<>();

    private record Ahead(List<InetAddress> addresses, long since) {
        boolean holds() {
            return System.nanoTime() - since < AHEAD_NANOS;
        }
    }

    VettedAddresses(Dns dns, AddressPolicy policy, Executor executor) {
        this.dns = dns;
        this.policy = policy;
        this.executor = executor;
    }

    /** A connection that must not or cannot be made, as the caller of {@link SafeHttp} will see it. */
    static final class Unreachable extends IOException {
        private static final long serialVersionUID = 1;
        private final transient Outcome.Failed failed;

        Unreachable(Outcome.Failure kind, String detail) {
            super(detail);
            this.failed = new Outcome.Failed(kind, detail);
        }

        Outcome.Failed failed() {
            return failed;
        }
    }

    @Override
    public void resolve(String host, int port, Map<String, Object> context, Promise<List<InetSocketAddress>> promise) {
        executor.execute(() -> {
            List<InetSocketAddress> addresses;
            try {
                addresses = vetted(host, port);
            } catch (Unreachable | RuntimeException e) {
                promise.failed(e);
                return;
            }
            promise.succeeded(addresses);
        });
    }

    /**
     * The addresses that a connection to the host is tried at in the next seconds, asked for now if need be; none when
     * there is no answer. Whether they may be reached is decided when a connection is made.
     */
    List<InetAddress> ahead(Host host) {
        return switch (host) {
            case Host.Address(InetAddress address) -> List.of(address);
            case Host.Name(String name) -> ahead(name);
            case Host.Malformed _ -> List.of();
        };
    }

    private List<InetAddress> ahead(String name) {
        Ahead known = ahead.get(name);
        if (known != null && known.holds()) {
            return known.addresses;
        }
        if (!(dns.addresses(name) instanceof DnsAnswer.Found<InetAddress>(List<InetAddress> found))) {
            return List.of();
        }
        if (ahead.size() >= MOST_AHEAD) {
            ahead.clear();
        }
        List<InetAddress> tried = found.stream().limit(MAX_TRIED).toList();
        // All of them are vetted, the rest too; so only an answer that is permitted as a whole is remembered.
        if (found.stream().allMatch(policy::permits)) {
            ahead.put(name, new Ahead(tried, System.nanoTime()));
        }
        return tried;
    }

    private List<InetSocketAddress> vetted(String host, int port) throws Unreachable {
        List<InetAddress> addresses = switch (Host.classify(host)) {
            case Host.Address(InetAddress address) -> List.of(address);
            case Host.Name(String name) -> lookUp(name);
            case Host.Malformed(String reason) -> throw new Unreachable(Outcome.Failure.DNS, reason);
        };
        if (!addresses.stream().allMatch(policy::permits)) {
            // Which address stays unsaid: the answer of an inner DNS view is not the user's to read.
            throw new Unreachable(Outcome.Failure.REFUSED_ADDRESS, host + " leads to an address that is not public.");
        }
        return addresses.stream().limit(MAX_TRIED).map(address -> new InetSocketAddress(address, port)).toList();
    }

    private List<InetAddress> lookUp(String name) throws Unreachable {
        Ahead known = ahead.get(name);
        if (known != null && known.holds()) {
            return known.addresses;
        }
        return switch (dns.addresses(name)) {
            case DnsAnswer.Found<InetAddress>(List<InetAddress> addresses) -> addresses;
            case DnsAnswer.Missing<InetAddress> _ ->
                    throw new Unreachable(Outcome.Failure.DNS, name + " has no address in DNS.");
            case DnsAnswer.Unavailable<InetAddress>(String reason) ->
                    throw new Unreachable(Outcome.Failure.DNS, "DNS gave no usable answer for " + name + ": " + reason);
        };
    }
}
