package dev.inboxd.app.connect;

import static dev.inboxd.testing.JsonText.json;

import dev.inboxd.tenant.apikey.P256Key;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;

/** A client that holds a key pair and signs as browsers and agents do. */
public record KeyHolder(KeyPair pair) {
    /** A new pair. */
    public static KeyHolder make() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return new KeyHolder(generator.generateKeyPair());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The public half as JSON of a JWK. */
    public String jwk() {
        return json("kty", "EC", "crv", "P-256", "x", key().x(), "y", key().y());
    }

    /** The public half. */
    public P256Key key() {
        ECPublicKey half = (ECPublicKey) pair.getPublic();
        return new P256Key(
                coordinate(half.getW().getAffineX()), coordinate(half.getW().getAffineY()));
    }

    private static String coordinate(BigInteger number) {
        byte[] bytes = number.toByteArray();
        byte[] fixed = new byte[32];
        int length = Math.min(bytes.length, 32);
        System.arraycopy(bytes, bytes.length - length, fixed, 32 - length, length);
        return base64(fixed);
    }

    public static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A compact JWS over these JSON texts. */
    public String jws(String header, String payload) {
        return jws(header, payload, "SHA256withECDSAinP1363Format");
    }

    /** A compact JWS with a signature in another form. */
    public String jws(String header, String payload, String algorithm) {
        String text = base64(header) + "." + base64(payload);
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(pair.getPrivate());
            signature.update(text.getBytes(StandardCharsets.US_ASCII));
            return text + "." + base64(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** An approval of a sign-in. */
    public String approval(String key, String jti, String inbox) {
        return jws(json("alg", "ES256", "typ", "inbox-approval+jwt", "kid", key), json("jti", jti, "inbox_id", inbox));
    }

    /** The proof that a new key is the signer's. */
    public String enrolment(String challenge, String key, String inbox) {
        return jws(json("alg", "ES256", "typ", "inbox-enrollment+jwt"), """
                {"challenge":"%s","api_key_id":"%s","inbox_id":"%s",\
                "fingerprint":"%s"}""".formatted(
                        challenge, key, inbox, key().fingerprint()));
    }

    /** A signature in which r and s are these numbers. */
    public static String forged(String jws, BigInteger r, BigInteger s) {
        byte[] signature = new byte[64];
        byte[] left = Base64.getUrlDecoder().decode(coordinate(r));
        byte[] right = Base64.getUrlDecoder().decode(coordinate(s));
        System.arraycopy(left, 0, signature, 0, 32);
        System.arraycopy(right, 0, signature, 32, 32);
        return String.join(".", Arrays.copyOf(jws.split("\\.", -1), 2)) + "." + base64(signature);
    }
}
