package dev.inboxd.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
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

    private final Dns dns;
    private final AddressPolicy policy;
    private final Executor executor;

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
        return switch (dns.addresses(name)) {
            case DnsAnswer.Found<InetAddress>(List<InetAddress> addresses) -> addresses;
            case DnsAnswer.Missing<InetAddress> _ ->
                    throw new Unreachable(Outcome.Failure.DNS, name + " has no address in DNS.");
            case DnsAnswer.Unavailable<InetAddress>(String reason) ->
                    throw new Unreachable(Outcome.Failure.DNS, "DNS gave no usable answer for " + name + ": " + reason);
        };
    }
}
