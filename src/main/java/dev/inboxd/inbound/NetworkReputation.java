package dev.inboxd.inbound;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What came of the mail of a network lately, on this node. Who hits hardly anything but unknown recipients, or sends hardly
 * anything but spam, is asked to come back later. Only what is so for everyone counts here, never what one organization
 * taught or listed: nobody's neighbours hear of it. Bounded in memory; networks that were silent longest are forgotten.
 */
final class NetworkReputation {
    private static final int MOST_NETWORKS = 10_000;
    /** What is so old counts half. */
    private static final Duration HALF_LIFE = Duration.ofMinutes(10);
    /** So much that is bad, and so many times the good, is poor. */
    private static final double POOR = 50;

    private static final double RATIO = 9;
    /** RFC 4291 §2.5.4: whoever has one address of a /64 has them all. */
    private static final int IPV6_NETWORK = 8;

    private static final int IPV4_NETWORK = 3;

    private final InstantSource clock;
    private final boolean ofLoopback;
    private final Map<Network, Past> networks = new LinkedHashMap<>(16, 0.75F, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Network, Past> eldest) {
            return size() > MOST_NETWORKS;
        }
    };

    /**
     * Nothing known yet.
     *
     * @param ofLoopback whether addresses of a private network have one too; what comes from there is usually passed on from everywhere
     */
    NetworkReputation(InstantSource clock, boolean ofLoopback) {
        this.clock = clock;
        this.ofLoopback = ofLoopback;
    }

    private record Network(String prefix) {
        static Network of(InetAddress address) {
            byte[] octets = address.getAddress();
            int length = octets.length == 4 ? IPV4_NETWORK : IPV6_NETWORK;
            return new Network(Arrays.toString(Arrays.copyOf(octets, length)));
        }
    }

    private record Past(double good, double bad, Instant at) {
        Past at(Instant now) {
            double left =
                    Math.pow(0.5, Math.max(0, Duration.between(at, now).toMillis()) / (double) HALF_LIFE.toMillis());
            return new Past(good * left, bad * left, now);
        }
    }

    /** Notes an unknown recipient, a message that is spam to anyone, or one that is not. */
    void record(InetAddress client, boolean good) {
        if (isExempt(client)) {
            return;
        }
        Instant now = clock.instant();
        synchronized (networks) {
            networks.merge(Network.of(client), new Past(good ? 1 : 0, good ? 0 : 1, now), (before, fresh) -> {
                Past faded = before.at(now);
                return new Past(faded.good + fresh.good, faded.bad + fresh.bad, now);
            });
        }
    }

    /** Whether the client's network is to come back later. */
    boolean isPoor(InetAddress client) {
        if (isExempt(client)) {
            return false;
        }
        synchronized (networks) {
            Past past = networks.get(Network.of(client));
            if (past == null) {
                return false;
            }
            Past faded = past.at(clock.instant());
            return faded.bad >= POOR && faded.bad >= RATIO * faded.good;
        }
    }

    private boolean isExempt(InetAddress client) {
        return !ofLoopback
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
