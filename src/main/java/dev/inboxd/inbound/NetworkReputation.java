package dev.inboxd.inbound;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reputation of client networks on this node, from their recent mail. A network that addresses hardly any but
 * unknown recipients, or sends hardly anything but spam, is refused temporarily. Only what holds for every organization
 * counts, never what one organization taught or listed: an organization's decisions do not affect others. Memory is
 * bounded: the network that was silent longest is forgotten.
 */
final class NetworkReputation {
    private static final int MOST_NETWORKS = 10_000;
    /** Half-life of a recorded result. */
    private static final Duration HALF_LIFE = Duration.ofMinutes(10);
    /** A network is poor at this number of bad results, when the bad results are this many times the good ones. */
    private static final double POOR_COUNT = 50;

    private static final double POOR_RATIO = 9;
    /** RFC 4291 §2.5.4: a /64 belongs to one site, which can use all of its addresses. */
    private static final int IPV6_NETWORK = 8;

    private static final int IPV4_NETWORK = 3;

    private final InstantSource clock;
    private final boolean includesPrivate;
    private final Map<Network, Score> networks = new LinkedHashMap<>(16, 0.75F, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Network, Score> eldest) {
            return size() > MOST_NETWORKS;
        }
    };

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

    private record Network(String prefix) {
        static Network of(InetAddress address) {
            byte[] octets = address.getAddress();
            int length = octets.length == 4 ? IPV4_NETWORK : IPV6_NETWORK;
            return new Network(Arrays.toString(Arrays.copyOf(octets, length)));
        }
    }

    private record Score(double good, double bad, Instant at) {
        Score at(Instant now) {
            double factor =
                    Math.pow(0.5, Math.max(0, Duration.between(at, now).toMillis()) / (double) HALF_LIFE.toMillis());
            return new Score(good * factor, bad * factor, now);
        }
    }

    /** Records a result: an unknown recipient or a spam message is bad, a message that is not spam is good. */
    void record(InetAddress client, boolean good) {
        if (isExempt(client)) {
            return;
        }
        Instant now = clock.instant();
        synchronized (networks) {
            networks.merge(Network.of(client), new Score(good ? 1 : 0, good ? 0 : 1, now), (before, fresh) -> {
                Score decayed = before.at(now);
                return new Score(decayed.good + fresh.good, decayed.bad + fresh.bad, now);
            });
        }
    }

    /** Whether the client's network is to be refused temporarily. */
    boolean isPoor(InetAddress client) {
        if (isExempt(client)) {
            return false;
        }
        synchronized (networks) {
            Score score = networks.get(Network.of(client));
            if (score == null) {
                return false;
            }
            Score decayed = score.at(clock.instant());
            return decayed.bad >= POOR_COUNT && decayed.bad >= POOR_RATIO * decayed.good;
        }
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
