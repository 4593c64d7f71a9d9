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
 * Turns the host of a new connection into addresses, exactly once, and refuses it when any of them may not be reached.
 * The client connects to the very addresses returned here, so a second, different DNS answer changes nothing.
 */
final class VettedAddresses implements SocketAddressResolver {
    /** Addresses tried for one connection. */
    private static final int MAX_TRIED = 4;

    /** So long nobody who looks ahead asks again; what was found is kept with what it was found for. */
    private static final long SEEN_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int MOST_SEEN = 10_000;

    private final Dns dns;
    private final AddressPolicy policy;
    private final Executor executor;
    private final Map<String, CachedLookup> seen = new ConcurrentHashMap<>();

    private record CachedLookup(DnsAnswer.Records<InetAddress> found, long since) {
        boolean holds() {
            return System.nanoTime() - since < SEEN_NANOS;
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
                DnsAnswer<InetAddress> given = given(context);
                addresses = vetted(host, port, given == null ? asked(host) : given);
            } catch (Unreachable | RuntimeException e) {
                promise.failed(e);
                return;
            }
            promise.succeeded(addresses);
        });
    }

    /**
     * What a connection to the host would be tried at, asked for now if need be. Whether that may be reached is decided when
     * a connection is made.
     */
    DnsAnswer<InetAddress> lookUp(Host host) {
        return switch (host) {
            case Host.Address(InetAddress address) -> new DnsAnswer.Records<>(List.of(address));
            case Host.Name(String name) -> lookUp(name);
            case Host.Malformed(String reason) -> new DnsAnswer.Unavailable<>(reason);
        };
    }

    private DnsAnswer<InetAddress> lookUp(String name) {
        CachedLookup before = seen.get(name);
        if (before != null && before.holds()) {
            return before.found;
        }
        DnsAnswer<InetAddress> answer = dns.addresses(name);
        if (!(answer instanceof DnsAnswer.Records<InetAddress>(List<InetAddress> all))) {
            return answer;
        }
        DnsAnswer.Records<InetAddress> found = new DnsAnswer.Records<>(tried(all));
        if (before != null && Set.copyOf(before.found.records()).equals(Set.copyOf(found.records()))) {
            found = before.found; // in another order it is the same answer, whose connections are kept
        }
        if (seen.size() >= MOST_SEEN) {
            seen.clear();
        }
        seen.put(name, new CachedLookup(found, System.nanoTime()));
        return found;
    }

    /** The first few; or of those that are refused for one, that one. */
    private List<InetAddress> tried(List<InetAddress> all) {
        return all.stream()
                .filter(address -> !policy.permits(address))
                .findFirst()
                .map(List::of)
                .orElseGet(() -> all.stream().limit(MAX_TRIED).toList());
    }

    private DnsAnswer<InetAddress> asked(String host) {
        return Host.classify(host) instanceof Host.Name(String name)
                ? dns.addresses(name)
                : lookUp(Host.classify(host));
    }

    private List<InetSocketAddress> vetted(String host, int port, DnsAnswer<InetAddress> answer) throws Unreachable {
        List<InetAddress> addresses = switch (answer) {
            case DnsAnswer.Records<InetAddress>(List<InetAddress> found) -> found;
            case DnsAnswer.Missing<InetAddress> _ ->
                throw new Unreachable(HttpOutcome.Failure.DNS, host + " has no address in DNS.");
            case DnsAnswer.Unavailable<InetAddress>(String reason) ->
                throw new Unreachable(HttpOutcome.Failure.DNS, "DNS gave no usable answer for " + host + ": " + reason);
        };
        if (!addresses.stream().allMatch(policy::permits)) {
            // Which address stays unsaid: the answer of an inner DNS view is not the user's to read.
            throw new Unreachable(
                    HttpOutcome.Failure.REFUSED_ADDRESS, host + " leads to an address that is not public.");
        }
        return addresses.stream()
                .limit(MAX_TRIED)
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    /** What the posts that share the connection to be made were given their places for; null when nobody looked ahead. */
    private static @Nullable DnsAnswer<InetAddress> given(Map<String, Object> context) {
        return context.get(Destination.CONTEXT_KEY) instanceof Destination destination
                        && destination.getOrigin().getTag() instanceof PostRequest.ConnectionGroup lane
                ? lane.addresses()
                : null;
    }
}
