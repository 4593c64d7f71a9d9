package dev.inboxd.mail.dkim;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A private key for signing, with the public key for DNS. Its text contains nothing of the key. */
public final class DkimKey {
    private static final int BITS = 2_048; // RFC 8301 §3.2: signers should use at least this; it fits a DNS answer

    private final SignatureAlgorithm algorithm;
    private final PrivateKey secret;
    private final PrivateKey ready;
    private final byte[] open; // the public key, in the form of p=

    private DkimKey(SignatureAlgorithm algorithm, PrivateKey secret, byte[] open) {
        this.algorithm = algorithm;
        this.secret = secret;
        this.ready = algorithm.ready(secret);
        this.open = open;
    }

    /** A new RSA key of 2,048 bits, which every receiver can verify. */
    public static DkimKey generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(BITS);
            return of(generator.generateKeyPair().getPrivate());
        } catch (GeneralSecurityException everyJavaHasRsa) {
            throw new AssertionError(everyJavaHasRsa);
        }
    }

    /** A new Ed25519 key (RFC 8463), for a second signature beside the RSA one. */
    public static DkimKey generateEd25519() {
        try {
            return of(KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate());
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }

    /**
     * The key of a stored {@link #pkcs8}.
     *
     * @throws IllegalArgumentException when the bytes are not an Ed25519 key or an RSA key of 1,024 to 4,096 bits (RFC
     *     8301 §3.2)
     */
    public static DkimKey fromPkcs8(byte[] pkcs8) {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
        try {
            try {
                return of(KeyFactory.getInstance("RSA").generatePrivate(spec));
            } catch (InvalidKeySpecException anotherKind) {
                return of(KeyFactory.getInstance("Ed25519").generatePrivate(spec));
            }
        } catch (InvalidKeySpecException malformed) {
            throw new IllegalArgumentException("The bytes are no RSA or Ed25519 key in PKCS#8", malformed);
        } catch (GeneralSecurityException everyJavaHasBoth) {
            throw new AssertionError(everyJavaHasBoth);
        }
    }

    private static DkimKey of(PrivateKey secret) throws GeneralSecurityException {
        if (secret instanceof EdECPrivateKey ed25519) {
            byte[] seed =
                    ed25519.getBytes().orElseThrow(() -> new IllegalArgumentException("A key without its octets"));
            return new DkimKey(SignatureAlgorithm.ED25519_SHA256, secret, Ed25519Public.of(seed));
        }
        if (secret instanceof RSAPrivateCrtKey rsa
                && rsa.getModulus().bitLength() >= 1_024
                && rsa.getModulus().bitLength() <= 4_096) {
            return new DkimKey(
                    SignatureAlgorithm.RSA_SHA256,
                    secret,
                    KeyFactory.getInstance("RSA")
                            .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()))
                            .getEncoded());
        }
        throw new IllegalArgumentException("A DKIM key needs 1,024 to 4,096 bits");
    }

    /** Why a native signature library on the class path did not load, so that Java signs more slowly; or null. */
    public static @Nullable String libraryFailure() {
        return NativeSignatures.failure();
    }

    /** The algorithm of its signatures. */
    public SignatureAlgorithm algorithm() {
        return algorithm;
    }

    /** The secret key in PKCS#8 (RFC 5208), to be stored; a new array. */
    public byte[] pkcs8() {
        return secret.getEncoded();
    }

    /**
     * The TXT record of {@code <selector>._domainkey.<domain>} (RFC 6376 §3.6.1) as one text. That of an RSA key is
     * longer than the 255 octets of a DNS string, so a zone file needs it in several strings (§3.6.2.2).
     */
    public String dnsRecord() {
        return "v=DKIM1; k=" + algorithm.keyType() + "; p="
                + Base64.getEncoder().encodeToString(open);
    }

    /**
     * Whether the RSA key of a published record (RFC 6376 §3.6.1) verifies this key's signatures.
     *
     * @param base64 the record's {@code p} tag
     */
    public boolean isPublishedAs(String base64) {
        byte[] octets = "Is this key the other half?".getBytes(StandardCharsets.US_ASCII);
        try {
            // white space is permitted inside (RFC 6376 §3.2)
            byte[] published = Base64.getMimeDecoder().decode(base64);
            PublicKey key = KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(published));
            return algorithm.verifies(key, octets, sign(octets));
        } catch (GeneralSecurityException | IllegalArgumentException noKey) {
            return false;
        }
    }

    /** The signature over the octets, by {@link #algorithm}: PKCS #1 v1.5 (RFC 8017 §8.2), or 64 octets (RFC 8032). */
    public byte[] sign(byte[] octets) {
        return algorithm.sign(ready, octets);
    }

    /** A text without the key. */
    @Override
    public String toString() {
        return "***";
    }
}
