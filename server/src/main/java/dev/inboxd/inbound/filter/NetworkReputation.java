package dev.inboxd.inbound.filter;

import dev.inboxd.base.rate.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reputation of clients on this node, from their recent mail. A client that addresses hardly any but unknown
 * recipients, or sends hardly anything but spam, is refused temporarily: first its address, and its network only when
 * several of the network's addresses are like that. An address that also sends wanted mail is never refused for its
 * network. Only what holds for every organization counts, never what one organization taught or listed: an
 * organization's decisions do not affect others. Memory is bounded: the address that was silent longest is forgotten.
 */
final class NetworkReputation {
    private static final int MOST_ADDRESSES = 10_000;
    /** Most addresses of one network that are known at a time. */
    private static final int MOST_OF_ONE_NETWORK = 256;
    /** Half-life of a recorded result. */
    private static final Duration HALF_LIFE = Duration.ofMinutes(10);
    /** A client is poor at this number of bad results, when the bad results are this many times the good ones. */
    private static final double POOR_COUNT = 50;

    private static final double POOR_RATIO = 9;
    /** Most bad results of one address that count against its network, so that two addresses alone never shut it. */
    private static final double MOST_OF_ONE_ADDRESS = 20;
    /** A network of IPv4 addresses: /24. */
    private static final int IPV4_NETWORK = 3;
    /** RFC 6177 §2: a site has at most a /48; an "address" of IPv6 is a /64, as in {@link ClientNetwork}. */
    private static final int IPV6_NETWORK = 6;

    private final InstantSource clock;
    private final boolean includesPrivate;
    /** The scores of each network's addresses. */
    private final Map<String, Map<String, Score>> networks = new HashMap<>();
    /** The network of each known address, the one that was silent longest first. */
    private final Map<String, String> addresses = new LinkedHashMap<>(16, 0.75F, true);

    /** What is held against a client. */
    enum Standing {
        FAIR,
        /** Its own address sends hardly anything that is wanted. */
        POOR_ADDRESS,
        /** Several addresses of its network do, and it sends nothing that is wanted. */
        POOR_NETWORK
    }

    /**
     * An empty record.
     *
     * @param includesPrivate whether addresses of private networks have a reputation too; a private address is usually
     *     a relay for clients of any network
     */
    NetworkReputation(InstantSource clock, boolean includesPrivate) {
        this.clock = clock;
        this.includesPrivate = includesPrivate;
    }

    private record Score(double good, double bad, Instant at) {
        static final Score NONE = new Score(0, 0, Instant.EPOCH);

        Score at(Instant now) {
            double factor =
                    Math.pow(0.5, Math.max(0, Duration.between(at, now).toMillis()) / (double) HALF_LIFE.toMillis());
            return new Score(good * factor, bad * factor, now);
        }

        Score plus(Score addend) {
            return new Score(good + addend.good, bad + addend.bad, at);
        }

        /** What counts against the network. */
        Score limited() {
            return new Score(good, Math.min(bad, MOST_OF_ONE_ADDRESS), at);
        }

        boolean isPoor() {
            return bad >= POOR_COUNT && !isWanted();
        }

        /** Whether enough of it was good. */
        boolean isWanted() {
            return bad < POOR_RATIO * good;
        }
    }

    /** Records a result: an unknown recipient or a spam message is bad, a message that is not spam is good. */
    void record(InetAddress client, boolean good) {
        if (isExempt(client)) {
            return;
        }
        Instant now = clock.instant();
        String address = ClientNetwork.of(client);
        String network = network(client);
        synchronized (networks) {
            Map<String, Score> scores = networks.computeIfAbsent(network, _ -> new LinkedHashMap<>(16, 0.75F, true));
            Score fresh = new Score(good ? 1 : 0, good ? 0 : 1, now);
            scores.merge(address, fresh, (before, increment) -> before.at(now).plus(increment));
            addresses.put(address, network);
            if (scores.size() > MOST_OF_ONE_NETWORK) {
                forget(scores.keySet().iterator().next());
            }
            if (addresses.size() > MOST_ADDRESSES) {
                forget(addresses.keySet().iterator().next());
            }
        }
    }

    private void forget(String address) {
        networks.computeIfPresent(String.valueOf(addresses.remove(address)), (_, scores) -> {
            scores.remove(address);
            return scores.isEmpty() ? null : scores;
        });
    }

    /** Whether the client is to be refused temporarily, and why. */
    Standing standing(InetAddress client) {
        if (isExempt(client)) {
            return Standing.FAIR;
        }
        Instant now = clock.instant();
        synchronized (networks) {
            Map<String, Score> scores = networks.getOrDefault(network(client), Map.of());
            Score own =
                    scores.getOrDefault(ClientNetwork.of(client), Score.NONE).at(now);
            if (own.isPoor()) {
                return Standing.POOR_ADDRESS;
            }
            if (own.isWanted()) {
                return Standing.FAIR;
            }
            Score all = Score.NONE.at(now);
            for (Score score : scores.values()) {
                all = all.plus(score.at(now).limited());
            }
            return all.isPoor() ? Standing.POOR_NETWORK : Standing.FAIR;
        }
    }

    private static String network(InetAddress client) {
        byte[] octets = client.getAddress();
        return Arrays.toString(Arrays.copyOf(octets, octets.length == 4 ? IPV4_NETWORK : IPV6_NETWORK));
    }

    private boolean isExempt(InetAddress client) {
        return !includesPrivate
                && (client.isLoopbackAddress()
                        || client.isSiteLocalAddress()
                        || client.isLinkLocalAddress()
                        || isUniqueLocal(client.getAddress()));
    }

    /** fc00::/7 (RFC 4193 §3.1), and 100.64.0.0/10, which carriers share out (RFC 6598 §7). */
    private static boolean isUniqueLocal(byte[] address) {
        return address.length == 16 ? (address[0] & 0xFE) == 0xFC : address[0] == 100 && (address[1] & 0xC0) == 0x40;
    }
}
