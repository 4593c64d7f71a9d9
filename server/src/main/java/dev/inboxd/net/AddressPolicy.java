package dev.inboxd.net;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The IP addresses that inboxd may connect to. Pure: no lookups, no state.
 *
 * <p>Java's own predicates (loopback, site-local, ...) know only a third of the special ranges, so the tables are
 * here. IPv4 is everything except the special-purpose registry; IPv6 is only what IANA has allocated, minus its
 * special parts. Last compared with the registries: November 2026.
 */
public enum AddressPolicy {
    /** Public addresses only: production. */
    PUBLIC {
        @Override
        public boolean permits(InetAddress address) {
            return isPublic(address.getAddress());
        }
    },
    /** Loopback, private networks and whatever else is not public: plain HTTP to a service of the operator's. */
    PRIVATE {
        @Override
        public boolean permits(InetAddress address) {
            return !isPublic(address.getAddress());
        }
    },
    /** Every address, loopback and the private networks included: development and tests. */
    ANY {
        @Override
        public boolean permits(InetAddress address) {
            return true;
        }
    };

    // IANA IPv4 Special-Purpose Address Registry (RFC 6890), except the globally reachable AS112 and AMT services.
    private static final List<IpPrefix> SPECIAL_IPV4 =
            prefixes("""
            0.0.0.0/8        10.0.0.0/8       100.64.0.0/10    127.0.0.0/8      169.254.0.0/16   172.16.0.0/12
            192.0.0.0/24     192.0.2.0/24     192.88.99.0/24   192.168.0.0/16   198.18.0.0/15    198.51.100.0/24
            203.0.113.0/24   224.0.0.0/4      240.0.0.0/4
            168.63.129.16/32"""); // the last is in no registry: the wire server of one large cloud

    // IANA IPv6 Global Unicast Address Assignments: a block not allocated to a registry yet is not a destination.
    private static final List<IpPrefix> ALLOCATED_IPV6 =
            prefixes("""
            2001:200::/23    2001:400::/23    2001:600::/23    2001:800::/22    2001:c00::/23    2001:e00::/23
            2001:1200::/23   2001:1400::/22   2001:1800::/23   2001:1a00::/23   2001:1c00::/22   2001:2000::/19
            2001:4000::/23   2001:4200::/23   2001:4400::/23   2001:4600::/23   2001:4800::/23   2001:4a00::/23
            2001:4c00::/23   2001:5000::/20   2001:8000::/19   2001:a000::/20   2001:b000::/20   2003::/18
            2400::/12        2410::/12        2600::/12        2610::/23        2620::/23        2630::/12
            2800::/12        2a00::/12        2a10::/12        2c00::/12
            2001:3::/32      2001:4:112::/48"""); // AMT (RFC 7450) and AS112 (RFC 7535), global parts of 2001::/23

    // RFC 3849: documentation, in the middle of an allocated block.
    private static final List<IpPrefix> SPECIAL_IPV6 = prefixes("2001:db8::/32");

    // RFC 6052 §2.1 (NAT64) and RFC 7915 (SIIT): the last 32 bits are the IPv4 address that the packet will reach.
    // IPv4-mapped, IPv4-compatible, 6to4, Teredo and local NAT64 addresses are in no allocated block and so all
    // refused.
    private static final List<IpPrefix> TRANSLATED = prefixes("64:ff9b::/96 ::ffff:0:0:0/96");

    /** Whether a connection to this address may be opened. */
    public abstract boolean permits(InetAddress address);

    /** Whether the 4 or 16 octets are a public unicast address. */
    static boolean isPublic(byte[] address) {
        if (address.length == 4) {
            return !within(SPECIAL_IPV4, address);
        }
        if (within(TRANSLATED, address)) {
            return isPublic(Arrays.copyOfRange(address, 12, 16));
        }
        return within(ALLOCATED_IPV6, address) && !within(SPECIAL_IPV6, address);
    }

    private static boolean within(List<IpPrefix> prefixes, byte[] address) {
        for (IpPrefix prefix : prefixes) {
            if (prefix.covers(address)) {
                return true;
            }
        }
        return false;
    }

    private static List<IpPrefix> prefixes(String table) {
        return Stream.of(table.split("\\s+")).map(IpPrefix::of).toList();
    }
}
