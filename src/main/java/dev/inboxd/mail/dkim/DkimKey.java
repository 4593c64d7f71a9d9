package dev.inboxd.mail.dkim;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** A private key for signing, with the public half that goes into the DNS. Prints nothing of itself. */
public final class DkimKey {
    private static final int BITS = 2_048; // RFC 8301 §3.2: signers should use at least this; it fits a DNS answer

    private final RSAPrivateCrtKey secret;
    private final PublicKey open;

    private DkimKey(RSAPrivateCrtKey secret) throws GeneralSecurityException {
        this.secret = secret;
        this.open = KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(secret.getModulus(), secret.getPublicExponent()));
    }

    /** A new RSA key of 2,048 bits. */
    public static DkimKey generate() {
        try {
            var generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(BITS);
            return new DkimKey((RSAPrivateCrtKey) generator.generateKeyPair().getPrivate());
        } catch (GeneralSecurityException everyJavaHasRsa) {
            throw new AssertionError(everyJavaHasRsa);
        }
    }

    /**
     * The key kept as {@link #pkcs8}.
     *
     * @throws IllegalArgumentException when the bytes are no RSA key of 1,024 to 4,096 bits (RFC 8301 §3.2)
     */
    public static DkimKey fromPkcs8(byte[] pkcs8) {
        try {
            var key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            if (key instanceof RSAPrivateCrtKey rsa && rsa.getModulus().bitLength() >= 1_024
                    && rsa.getModulus().bitLength() <= 4_096) {
                return new DkimKey(rsa);
            }
            throw new IllegalArgumentException("A DKIM key needs 1,024 to 4,096 bits");
        } catch (InvalidKeySpecException malformed) {
            throw new IllegalArgumentException("The bytes are no RSA key in PKCS#8", malformed);
        } catch (GeneralSecurityException everyJavaHasRsa) {
            throw new AssertionError(everyJavaHasRsa);
        }
    }

    /** The secret key in PKCS#8 (RFC 5208), to be stored; a fresh array. */
    public byte[] pkcs8() {
        return secret.getEncoded();
    }

    /**
     * The TXT record of {@code <selector>._domainkey.<domain>} (RFC 6376 §3.6.1) as one text; longer than the 255
     * octets of one DNS string, so a zone file needs it in pieces (§3.6.2.2).
     */
    public String dnsRecord() {
        return "v=DKIM1; k=rsa; p=" + Base64.getEncoder().encodeToString(open.getEncoded());
    }

    /**
     * Whether the key that a published record holds (RFC 6376 §3.6.1) takes what this one signs.
     *
     * @param base64 the record's {@code p} tag
     */
    public boolean isPublishedAs(String base64) {
        byte[] octets = "Is this key the other half?".getBytes(StandardCharsets.US_ASCII);
        try {
            byte[] published = Base64.getMimeDecoder().decode(base64); // blanks may stand between (RFC 6376 §3.2)
            var verifier = Signature.getInstance("SHA256withRSA");
            verifier.initVerify(KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(published)));
            verifier.update(octets);
            return verifier.verify(sign(octets));
        } catch (GeneralSecurityException | IllegalArgumentException noKey) {
            return false;
        }
    }

    /** RSASSA-PKCS1-v1_5 with SHA-256 over the octets. */
    byte[] sign(byte[] octets) {
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(secret);
            signature.update(octets);
            return signature.sign();
        } catch (GeneralSecurityException everyJavaHasRsa) {
            throw new AssertionError(everyJavaHasRsa);
        }
    }

    /** Nothing of the key. */
    @Override
    public String toString() {
        return "***";
    }
}
