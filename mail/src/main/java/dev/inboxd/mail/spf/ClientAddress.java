package dev.inboxd.mail.spf;

import java.net.Inet4Address;
import java.net.InetAddress;

/** The client's address in the forms of SPF macros (RFC 7208 §7.3). */
final class ClientAddress {
    private ClientAddress() {}

    /** The nibbles: 2001:db8:: becomes 2.0.0.1.0.D.B.8 and so on. */
    static String nibbles(byte[] octets) {
        StringBuilder out = new StringBuilder(63);
        for (byte octet : octets) {
            out.append(out.isEmpty() ? "" : ".")
                    .append(nibble(octet >> 4))
                    .append('.')
                    .append(nibble(octet));
        }
        return out.toString();
    }

    private static char nibble(int octet) {
        return Character.toUpperCase(Character.forDigit(octet & 15, 16));
    }

    /** The readable form; in IPv6, the longest run of zero groups is left out (RFC 5952 §4.2). */
    static String readable(InetAddress address) {
        if (address instanceof Inet4Address) {
            return address.getHostAddress();
        }
        byte[] octets = address.getAddress();
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = ((octets[2 * i] & 0xFF) << 8) | (octets[2 * i + 1] & 0xFF);
        }
        int start = 0;
        int length = 1; // a single group is not left out
        for (int i = 0; i < 8; i++) {
            int zeros = 0;
            while (i + zeros < 8 && groups[i + zeros] == 0) {
                zeros++;
            }
            if (zeros > length) {
                start = i;
                length = zeros;
            }
        }
        if (length == 1) {
            return joined(groups, 0, 8);
        }
        return joined(groups, 0, start) + "::" + joined(groups, start + length, 8);
    }

    private static String joined(int[] groups, int from, int to) {
        StringBuilder out = new StringBuilder();
        for (int i = from; i < to; i++) {
            out.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
        }
        return out.toString();
    }
}
