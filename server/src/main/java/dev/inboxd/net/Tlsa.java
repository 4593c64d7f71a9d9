package dev.inboxd.net;

import java.util.HexFormat;

/**
 * A TLSA record (RFC 6698 §2.1), which a server's certificate has to match. The three numbers may have any value of an
 * octet.
 *
 * @param usage 2 for an authority in the server's chain, 3 for the server's own certificate
 * @param selector 0 for the whole certificate, 1 for its public key
 * @param matching 0 for the selected octets themselves, 1 for their SHA-256, 2 for their SHA-512
 * @param association the octets to match, in lower-case hexadecimal
 */
public record Tlsa(int usage, int selector, int matching, String association) {
    static Tlsa of(int usage, int selector, int matching, byte[] association) {
        return new Tlsa(usage, selector, matching, HexFormat.of().formatHex(association));
    }
}
