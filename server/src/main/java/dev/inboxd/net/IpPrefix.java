package dev.inboxd.net;

import dev.inboxd.mail.url.Ipv4Text;
import dev.inboxd.mail.url.Ipv6Text;
import java.util.Arrays;

/** A block of IP addresses in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3). */
final class IpPrefix {
    private final byte[] address;
    private final int length;

    private IpPrefix(byte[] address, int length) {
        this.address = address;
        this.length = length;
    }

    /**
     * Parses {@code 10.0.0.0/8} or {@code 2001:db8::/32}; for the tables in this package, so a malformed one is a bug.
     */
    static IpPrefix of(String cidr) {
        int slash = cidr.indexOf('/');
        String text = cidr.substring(0, slash);
        byte[] address = text.indexOf(':') >= 0 ? Ipv6Text.parse(text) : Ipv4Text.parse(text);
        int length = Integer.parseInt(cidr.substring(slash + 1));
        if (address == null || length > address.length * 8) {
            throw new IllegalArgumentException(cidr);
        }
        return new IpPrefix(address, length);
    }

    /** Whether the block contains the address, 4 or 16 octets; never for an address of the other family. */
    boolean covers(byte[] candidate) {
        if (candidate.length != address.length) {
            return false;
        }
        int fullOctets = length / 8;
        if (!Arrays.equals(address, 0, fullOctets, candidate, 0, fullOctets)) {
            return false;
        }
        int remainingBits = length % 8;
        return remainingBits == 0 || ((address[fullOctets] ^ candidate[fullOctets]) & 0xff) >> (8 - remainingBits) == 0;
    }
}
