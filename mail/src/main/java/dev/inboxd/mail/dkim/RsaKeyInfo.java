package dev.inboxd.mail.dkim;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/**
 * The two encodings of RSA keys in DNS: SubjectPublicKeyInfo (RFC 5280 §4.1), and the bare RSAPublicKey inside it
 * (RFC 8017 §A.1.1), which RFC 6376 §3.6.1 names and few domains publish.
 */
final class RsaKeyInfo {
    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final byte[] RSA_ENCRYPTION = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

    private RsaKeyInfo() {}

    /** Whether these octets are a bare key: a sequence that begins with an integer. */
    static boolean isBare(byte[] der) {
        if (der.length < 2 || der[0] != SEQUENCE) {
            return false;
        }
        int lengthOctets = der[1] < 0 ? der[1] & 0x7F : 0;
        int first = 2 + lengthOctets;
        return first < der.length && der[first] == INTEGER;
    }

    /** The same key in a SubjectPublicKeyInfo. */
    static byte[] wrap(byte[] bare) {
        ByteArrayOutputStream bits = new ByteArrayOutputStream();
        bits.write(0); // no unused bits
        bits.writeBytes(bare);
        ByteArrayOutputStream inside = new ByteArrayOutputStream();
        inside.writeBytes(RSA_ENCRYPTION);
        inside.writeBytes(element(BIT_STRING, bits.toByteArray()));
        return element(SEQUENCE, inside.toByteArray());
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.length;
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }
}
