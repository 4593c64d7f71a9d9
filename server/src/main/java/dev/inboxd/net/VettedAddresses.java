package dev.inboxd.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.eclipse.jetty.client.Destination;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the host of a new connection, exactly once, and refuses it when any of its addresses is forbidden. The
 * client connects to the very addresses returned here, so a second, different DNS answer changes nothing.
 */
final class VettedAddresses implements SocketAddressResolver {
    /** Maximum number of addresses tried for one connection. */
    private static final int MAX_TRIED = 4;

    /** How long a lookup ahead of the connection reuses an earlier answer for the host. */
    private static final long SEEN_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int MOST_SEEN = 10_000;

    private final Dns dns;
    private final AddressPolicy policy;
    private final OwnPorts own;
    private final Executor executor;
    private final Map<String, CachedLookup> recentLookups = new ConcurrentHashMap<>();

    private record CachedLookup(DnsAnswer.Records<InetAddress> answer, long since) {
        boolean holds() {
            return System.nanoTime() - since < SEEN_NANOS;
        }
    }

    VettedAddresses(Dns dns, TargetRules rules, Executor executor) {
        this.dns = dns;
        this.policy = rules.addresses();
        this.own = rules.own();
        this.executor = executor;
    }

    /** A connection that is refused or fails, in the form that callers of {@link SafeHttp} get. */
    static final class Unreachable extends IOException {
        private static final long serialVersionUID = 1;
        private final transient HttpOutcome.NoResponse failed;

        Unreachable(HttpOutcome.Failure kind, String detail) {
            super(detail);
            this.failed = new HttpOutcome.NoResponse(kind, detail);
        }

        HttpOutcome.NoResponse failed() {
            return failed;
        }
    }

    @Override
    public void resolve(String host, int port, Map<String, Object> context, Promise<List<InetSocketAddress>> promise) {
        executor.execute(() -> {
            List<InetSocketAddress> addresses;
            try {
                DnsAnswer<InetAddress> groupAnswer = groupAddresses(context);
                addresses = vetted(host, port, groupAnswer == null ? query(host) : groupAnswer);
            } catch (Unreachable | RuntimeException e) {
                promise.failed(e);
                return;
            }
            promise.succeeded(addresses);
        });
    }

    /**
     * The addresses that a connection to the host would try, looked up now if need be. The policy is applied when the
     * connection is made.
     */
    DnsAnswer<InetAddress> lookUp(Host host) {
        return switch (host) {
            case Host.Address(InetAddress address) -> new DnsAnswer.Records<>(List.of(address));
            case Host.Name(String name) -> lookUp(name);
            case Host.Malformed(String reason) -> new DnsAnswer.Unavailable<>(reason);
        };
    }

    private DnsAnswer<InetAddress> lookUp(String name) {
        CachedLookup before = recentLookups.get(name);
        if (before != null && before.holds()) {
            return before.answer;
        }
        DnsAnswer<InetAddress> answer = dns.addresses(name);
        if (!(answer instanceof DnsAnswer.Records<InetAddress>(List<InetAddress> all))) {
            return answer;
        }
        DnsAnswer.Records<InetAddress> resolved = new DnsAnswer.Records<>(tried(all));
        if (before != null && Set.copyOf(before.answer.records()).equals(Set.copyOf(resolved.records()))) {
            // the same addresses in another order are the same answer, whose connections stay in use
            resolved = before.answer;
        }
        if (recentLookups.size() >= MOST_SEEN) {
            recentLookups.clear();
        }
        recentLookups.put(name, new CachedLookup(resolved, System.nanoTime()));
        return resolved;
    }

    /** The first few addresses; but the refused address alone when one of them is forbidden. */
    private List<InetAddress> tried(List<InetAddress> all) {
        return all.stream()
                .filter(address -> !policy.permits(address))
                .findFirst()
                .map(List::of)
                .orElseGet(() -> all.stream().limit(MAX_TRIED).toList());
    }

    private DnsAnswer<InetAddress> query(String host) {
        return Host.classify(host) instanceof Host.Name(String name)
                ? dns.addresses(name)
                : lookUp(Host.classify(host));
    }

    private List<InetSocketAddress> vetted(String host, int port, DnsAnswer<InetAddress> answer) throws Unreachable {
        List<InetAddress> addresses = switch (answer) {
            case DnsAnswer.Records<InetAddress>(List<InetAddress> records) -> records;
            case DnsAnswer.Missing<InetAddress> _ ->
                throw new Unreachable(HttpOutcome.Failure.DNS, host + " has no address in DNS.");
            case DnsAnswer.Unavailable<InetAddress>(String reason) ->
                throw new Unreachable(HttpOutcome.Failure.DNS, "DNS gave no usable answer for " + host + ": " + reason);
        };
        if (!addresses.stream().allMatch(policy::permits)) {
            // The message does not name the address: the answer of an internal DNS view must not leak to the user.
            throw new Unreachable(
                    HttpOutcome.Failure.REFUSED_ADDRESS,
                    host + " leads to an address that is " + (policy == AddressPolicy.PRIVATE ? "" : "not ")
                            + "public.");
        }
        if (addresses.stream().anyMatch(address -> own.covers(address, port))) {
            throw new Unreachable(HttpOutcome.Failure.REFUSED_ADDRESS, host + " leads to this server itself.");
        }
        return addresses.stream()
                .limit(MAX_TRIED)
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    /** The addresses of the connection group of the request; null when it has none. */
    private static @Nullable DnsAnswer<InetAddress> groupAddresses(Map<String, Object> context) {
        return context.get(Destination.CONTEXT_KEY) instanceof Destination destination
                        && destination.getOrigin().getTag() instanceof PostRequest.ConnectionGroup lane
                ? lane.addresses()
                : null;
    }
}
