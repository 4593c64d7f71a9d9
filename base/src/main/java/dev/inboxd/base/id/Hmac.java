package dev.inboxd.base.id;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA-256 (RFC 2104) with one key. Thread-safe. */
public final class Hmac {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /** @param key a secret of one octet at least */
    public Hmac(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** One for each key, in their order. */
    public static List<Hmac> of(List<byte[]> keys) {
        return keys.stream().map(Hmac::new).toList();
    }

    /** The 32 octets for these parts, one behind the other. */
    public byte[] mac(byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * The first octets of the MAC.
     *
     * @param octets how many; RFC 2104 §5 recommends half of them at least, which are 16
     */
    public byte[] tag(byte[] content, int octets) {
        return Arrays.copyOf(mac(content), octets);
    }

    /** Whether these are the first octets of the MAC; compared in constant time. */
    public boolean verifies(byte[] content, byte[] tag) {
        return MessageDigest.isEqual(tag(content, tag.length), tag);
    }
}
