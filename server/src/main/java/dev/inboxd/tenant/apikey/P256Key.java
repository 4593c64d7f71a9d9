package dev.inboxd.tenant.apikey;

import dev.inboxd.base.id.Digests;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A public key on the curve P-256, in the form of its JWK (RFC 7517, RFC 7518 §6.2.1; identity.md §9). The JDK accepts
 * points that are not on the curve, so they are checked here.
 *
 * @param x the first coordinate: 32 bytes in base64url without padding
 * @param y the second coordinate, in the same form
 */
public record P256Key(String x, String y) {
    private static final Set<String> MEMBERS = Set.of("kty", "crv", "x", "y");
    private static final int COORDINATE_BYTES = 32;
    private static final int COORDINATE_CHARACTERS = 43;

    /** FIPS 186-4 §D.1.2.3: y² = x³ − 3x + b modulo p. The cofactor is 1, so every point except infinity is valid. */
    private static final BigInteger P =
            new BigInteger("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 16);

    private static final BigInteger B =
            new BigInteger("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16);
    private static final BigInteger THREE = BigInteger.valueOf(3);

    /** Reads the member {@code public_key}; null when it has a fault, which is added to the body. */
    public static @Nullable P256Key read(JsonBody body) {
        JsonBody jwk = body.object("public_key");
        if (jwk == null) {
            if (body.isNull("public_key")) {
                body.fault("public_key", "public_key must be an object");
            }
            return null;
        }
        jwk.names().stream()
                .filter(name -> !MEMBERS.contains(name))
                .forEach(name -> jwk.fault(name, "A public key has the members kty, crv, x and y, and no other"));
        constant(jwk, "kty", "EC");
        constant(jwk, "crv", "P-256");
        BigInteger x = coordinate(jwk, "x");
        BigInteger y = coordinate(jwk, "y");
        if (x == null || y == null) {
            return null;
        }
        if (!isOnCurve(x, y)) {
            body.fault("public_key", "x and y are not a point on P-256");
            return null;
        }
        return new P256Key(jwk.string("x").required(), jwk.string("y").required());
    }

    private static void constant(JsonBody jwk, String name, String only) {
        String value = jwk.string(name).min(1).required();
        if (!value.isEmpty() && !value.equals(only)) {
            jwk.fault(name, name + " must be " + only);
        }
    }

    private static @Nullable BigInteger coordinate(JsonBody jwk, String name) {
        String text = jwk.string(name).min(1).required();
        if (text.isEmpty()) {
            return null;
        }
        byte[] bytes = decoded(text);
        if (bytes == null) {
            jwk.fault(
                    name,
                    name + " must be 32 bytes in base64url without padding: " + COORDINATE_CHARACTERS + " characters");
            return null;
        }
        return new BigInteger(1, bytes);
    }

    /** The bytes, or null. Only the canonical encoding is accepted (RFC 4648 §3.5). */
    private static byte @Nullable [] decoded(String text) {
        if (text.length() != COORDINATE_CHARACTERS) {
            return null;
        }
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            return bytes.length == COORDINATE_BYTES && encoded(bytes).equals(text) ? bytes : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static boolean isOnCurve(BigInteger x, BigInteger y) {
        if (x.compareTo(P) >= 0 || y.compareTo(P) >= 0) {
            return false;
        }
        BigInteger right = x.pow(3).subtract(x.multiply(THREE)).add(B).mod(P);
        return y.modPow(BigInteger.TWO, P).equals(right);
    }

    /** The key with the coordinates x and y in 64 bytes. */
    static P256Key of(byte[] point) {
        return new P256Key(
                encoded(Arrays.copyOf(point, COORDINATE_BYTES)),
                encoded(Arrays.copyOfRange(point, COORDINATE_BYTES, 2 * COORDINATE_BYTES)));
    }

    /** The coordinates x and y in 64 bytes. */
    byte[] point() {
        byte[] point = Arrays.copyOf(Base64.getUrlDecoder().decode(x), 2 * COORDINATE_BYTES);
        System.arraycopy(Base64.getUrlDecoder().decode(y), 0, point, COORDINATE_BYTES, COORDINATE_BYTES);
        return point;
    }

    /** The key for the JDK's signatures. */
    public PublicKey toPublicKey() {
        try {
            AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
            curve.init(new ECGenParameterSpec("secp256r1"));
            ECPoint point = new ECPoint(number(x), number(y));
            return KeyFactory.getInstance("EC")
                    .generatePublic(new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static BigInteger number(String coordinate) {
        return new BigInteger(1, Base64.getUrlDecoder().decode(coordinate));
    }

    /** The SHA-256 thumbprint (RFC 7638 §3): the required members in order of their names, without blanks. */
    public String fingerprint() {
        String canonical = "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"" + x + "\",\"y\":\"" + y + "\"}";
        return encoded(Digests.sha256().digest(canonical.getBytes(StandardCharsets.US_ASCII)));
    }

    /** The JSON form (identity.md §8.3). */
    JsonObject json() {
        return JsonObject.of(
                        "jwk",
                        JsonObject.of("kty", "EC")
                                .with("crv", "P-256")
                                .with("x", x)
                                .with("y", y))
                .with("fingerprint", fingerprint());
    }
}
