package dev.inboxd.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The IPv4 addresses in an IPv6 address: where a packet may end that is sent to it (ruling 168). Mapped and compatible
 * addresses (RFC 4291 §2.5.5), SIIT (RFC 7915), NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380), ISATAP
 * (RFC 5214). Zone ids are no part of an address.
 */
final class EmbeddedIpv4 {
    private static final int IPV4 = 4;
    private static final int LAST = 12;

    /** Whose last four octets are the address. */
    private static final List<IpPrefix> AT_THE_END = List.of(
            IpPrefix.of("::/96"),
            IpPrefix.of("::ffff:0:0/96"),
            IpPrefix.of("::ffff:0:0:0/96"),
            IpPrefix.of("64:ff9b::/96"),
            IpPrefix.of("64:ff9b:1::/48"));

    private static final IpPrefix SIX_TO_FOUR = IpPrefix.of("2002::/16");
    private static final IpPrefix TEREDO = IpPrefix.of("2001::/32");

    private EmbeddedIpv4() {}

    /** The address itself, without its zone, and each IPv4 address in it. */
    static List<InetAddress> all(InetAddress address) {
        byte[] octets = address.getAddress();
        List<InetAddress> all = new ArrayList<>();
        all.add(of(octets));
        if (octets.length == IPV4) {
            return all;
        }
        boolean isatap = (octets[8] & 0xFD) == 0 && octets[9] == 0 && octets[10] == 0x5E && (octets[11] & 0xFF) == 0xFE;
        if (isatap || AT_THE_END.stream().anyMatch(prefix -> prefix.covers(octets))) {
            all.add(at(octets, LAST));
        } else if (SIX_TO_FOUR.covers(octets)) {
            all.add(at(octets, 2));
        } else if (TEREDO.covers(octets)) {
            all.add(at(octets, IPV4));
            byte[] client = Arrays.copyOfRange(octets, LAST, LAST + IPV4);
            for (int i = 0; i < IPV4; i++) {
                client[i] = (byte) ~client[i]; // RFC 4380 §4: so that translators leave it alone
            }
            all.add(of(client));
        }
        return all;
    }

    private static InetAddress at(byte[] octets, int from) {
        return of(Arrays.copyOfRange(octets, from, from + IPV4));
    }

    private static InetAddress of(byte[] octets) {
        try {
            return InetAddress.getByAddress(octets);
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }
}
