package dev.inboxd.base.rate;

import java.net.InetAddress;
import java.util.List;

/** Addresses and networks of a setting. */
public final class Networks {
    /** No addresses. */
    public static final Networks NONE = new Networks(List.of());

    private final List<Network> networks;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Network(byte[] address, int bits) {
        static Network of(String text) {
            int slash = text.indexOf('/');
            byte[] address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash))
                    .getAddress();
            return new Network(
                    address, slash < 0 ? address.length * Byte.SIZE : Integer.parseInt(text.substring(slash + 1)));
        }

        boolean covers(byte[] candidate) {
            boolean same = candidate.length == address.length;
            for (int bit = 0; same && bit < bits; bit++) {
                int mask = 0x80 >> bit % Byte.SIZE;
                same = (address[bit / Byte.SIZE] & mask) == (candidate[bit / Byte.SIZE] & mask);
            }
            return same;
        }
    }

    /** @param texts addresses and networks in CIDR form, checked by the setting */
    public Networks(List<String> texts) {
        networks = texts.stream().map(Network::of).toList();
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return networks.isEmpty();
    }

    /** Whether one of the addresses or networks contains the address. */
    public boolean contains(InetAddress address) {
        byte[] octets = address.getAddress();
        return networks.stream().anyMatch(network -> network.covers(octets));
    }
}
