package dev.inboxd.mail.dkim;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;

/**
 * Computes the public key of an Ed25519 private key, which Java does not do: a key pair is generated from the private
 * key's seed.
 */
final class Ed25519Public {
    private Ed25519Public() {}

    /**
     * The 32 octets of RFC 8032 §5.1.5.
     *
     * @param seed the 32 octets of the private key
     */
    static byte[] of(byte[] seed) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
        generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
        EdECPublicKey key = (EdECPublicKey) generator.generateKeyPair().getPublic();
        byte[] bigEndian = key.getPoint().getY().toByteArray();
        byte[] octets = new byte[32];
        for (int i = 0; i < Math.min(32, bigEndian.length); i++) {
            octets[i] = bigEndian[bigEndian.length - 1 - i];
        }
        if (key.getPoint().isXOdd()) {
            octets[31] |= (byte) 0x80;
        }
        return octets;
    }

    /** A source of randomness that returns the seed. */
    private static final class Seed extends SecureRandom {
        private static final long serialVersionUID = 1;

        private final byte[] seed;

        Seed(byte[] seed) {
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(byte[] octets) {
            if (octets.length != seed.length) {
                throw new IllegalStateException("Java asks for " + octets.length + " octets");
            }
            System.arraycopy(seed, 0, octets, 0, seed.length);
        }
    }
}
