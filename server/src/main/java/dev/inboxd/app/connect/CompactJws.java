package dev.inboxd.app.connect;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.tenant.apikey.P256Key;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A compact JWS (RFC 7515 §7.1) of a client that signs with ES256 (RFC 7518 §3.4), read by one spelling alone: three
 * canonical base64url segments, and JSON objects of strings in which nothing stands twice. A library for every form of
 * JWS accepts more than that.
 *
 * @param header members of the header
 * @param payload members of the payload
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CompactJws(Map<String, String> header, Map<String, String> payload, String signedText, byte[] signature) {
    private static final int LONGEST = 2_048;
    private static final int SIGNATURE_BYTES = 64;
    /** FIPS 186-4 §D.1.2.3: the order of P-256. */
    private static final BigInteger N =
            new BigInteger("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16);

    /**
     * Reads a JWS without verifying it.
     *
     * @param name the member that holds it, for the error
     * @throws Problem {@code validation_error} when it is no such JWS
     */
    public static CompactJws read(String name, String text) {
        String[] segments = segments(name, text);
        return read(name, segments, strings(name, decoded(name, segments[0])));
    }

    /**
     * Reads a JWS without verifying it; a header that is none is empty, and {@link #isTyped} refuses it.
     *
     * @param name the member that holds it, for the error
     * @throws Problem {@code validation_error} when the rest is no such JWS
     */
    public static CompactJws ofAnyHeader(String name, String text) {
        String[] segments = segments(name, text);
        Map<String, String> members;
        try {
            members = strings(name, decoded(name, segments[0]));
        } catch (Problem malformed) {
            members = Map.of();
        }
        return read(name, segments, members);
    }

    private static String[] segments(String name, String text) {
        String[] segments = text.split("\\.", -1);
        if (text.length() > LONGEST || segments.length != 3) {
            throw fault(name);
        }
        return segments;
    }

    private static CompactJws read(String name, String[] segments, Map<String, String> header) {
        byte[] payload = decoded(name, segments[1]);
        byte[] signature = decoded(name, segments[2]);
        return new CompactJws(header, strings(name, payload), segments[0] + "." + segments[1], signature);
    }

    /** Whether the payload has these members and no others. */
    public boolean hasExactly(Set<String> members) {
        return payload.keySet().equals(members);
    }

    /** Whether the header has an algorithm and a type as they must be, perhaps a key id, and no more. */
    public boolean isTyped(List<String> types, boolean withKeyId) {
        return "ES256".equals(header.get("alg"))
                && types.contains(header.get("typ"))
                && header.keySet().equals(withKeyId ? Set.of("alg", "typ", "kid") : Set.of("alg", "typ"));
    }

    /** Whether a key made the signature: r and s in 32 bytes each, both between 0 and the order of the curve. */
    public boolean isSignedBy(P256Key key) {
        if (signature.length != SIGNATURE_BYTES
                || !isInRange(Arrays.copyOf(signature, SIGNATURE_BYTES / 2))
                || !isInRange(Arrays.copyOfRange(signature, SIGNATURE_BYTES / 2, SIGNATURE_BYTES))) {
            return false;
        }
        try {
            Signature verifier = Signature.getInstance("SHA256withECDSAinP1363Format");
            verifier.initVerify(key.toPublicKey());
            verifier.update(signedText.getBytes(StandardCharsets.US_ASCII));
            return verifier.verify(signature);
        } catch (GeneralSecurityException malformed) {
            return false;
        }
    }

    private static boolean isInRange(byte[] bytes) {
        BigInteger number = new BigInteger(1, bytes);
        return number.signum() > 0 && number.compareTo(N) < 0;
    }

    private static byte[] decoded(String name, String segment) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(segment);
            if (Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(segment)) {
                return bytes;
            }
        } catch (IllegalArgumentException malformed) {
            throw fault(name);
        }
        throw fault(name);
    }

    private static Map<String, String> strings(String name, byte[] json) {
        Object value = parsed(name, json);
        if (value instanceof Map<?, ?> members
                && members.values().stream().allMatch(String.class::isInstance)
                && members.keySet().stream().allMatch(String.class::isInstance)) {
            @SuppressWarnings("unchecked") // checked just now
            Map<String, String> strings = (Map<String, String>) members;
            return Map.copyOf(strings);
        }
        throw fault(name);
    }

    private static @Nullable Object parsed(String name, byte[] json) {
        try {
            return Json.parse(json);
        } catch (Problem notJson) {
            throw fault(name);
        }
    }

    private static Problem fault(String name) {
        return Problem.invalid(
                name,
                name + " must be a compact JWS of at most " + LONGEST
                        + " characters: three segments in base64url without padding, of which the first two are JSON"
                        + " objects of strings");
    }
}
