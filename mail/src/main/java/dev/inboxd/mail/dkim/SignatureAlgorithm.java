package dev.inboxd.mail.dkim;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import org.jspecify.annotations.Nullable;

/** The accepted signature algorithms (RFC 8301 §3.1, RFC 8463 §3). */
public enum SignatureAlgorithm {
    /** RSASSA-PKCS1-v1_5 with SHA-256. */
    RSA_SHA256("rsa", "SHA256withRSA"),
    /** PureEdDSA over the SHA-256 of the signed data. */
    ED25519_SHA256("ed25519", "Ed25519");

    private final String keyType;
    private final String java;

    SignatureAlgorithm(String keyType, String java) {
        this.keyType = keyType;
        this.java = java;
    }

    /** The a= tag of a signature. */
    public String tag() {
        return keyType + "-sha256";
    }

    /** The k= tag of its key. */
    String keyType() {
        return keyType;
    }

    static @Nullable SignatureAlgorithm ofTag(String tag) {
        for (SignatureAlgorithm algorithm : values()) {
            if (algorithm.tag().equals(tag)) {
                return algorithm;
            }
        }
        return null;
    }

    /** Converts the key to the form that {@link #sign} uses fastest. */
    PrivateKey ready(PrivateKey key) {
        return NativeSignatures.own(java, key);
    }

    byte[] sign(PrivateKey key, byte[] octets) {
        try {
            byte[] message = message(octets);
            return NativeSignatures.use(java, signature -> {
                signature.initSign(key);
                signature.update(message);
                return signature.sign();
            });
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }

    /** Whether the signature over these octets was made with that key; false for a malformed signature or key. */
    boolean verifies(PublicKey key, byte[] octets, byte[] claimed) {
        try {
            byte[] message = message(octets);
            return NativeSignatures.use(java, signature -> {
                signature.initVerify(key);
                signature.update(message);
                return signature.verify(claimed);
            });
        } catch (GeneralSecurityException | RuntimeException misshapen) {
            return false; // both are foreign, and a provider throws undeclared exceptions
        }
    }

    private byte[] message(byte[] octets) throws GeneralSecurityException {
        return this == RSA_SHA256
                ? octets
                : MessageDigest.getInstance("SHA-256").digest(octets);
    }
}
