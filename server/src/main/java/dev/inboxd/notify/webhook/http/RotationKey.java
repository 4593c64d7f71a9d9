package dev.inboxd.notify.webhook.http;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The Idempotency-Key of a rotation: a repeat gives the secret that the first one made. */
final class RotationKey {
    private static final String FIELD = "Idempotency-Key";
    private static final int LONGEST = 256;

    private RotationKey() {}

    /**
     * The hash of the key of a request, empty for none.
     *
     * @throws Problem {@code validation_error} when it is malformed
     */
    static String of(Request request) {
        String field = request.header(FIELD);
        if (field == null) {
            return "";
        }
        if (field.isEmpty() || field.length() > LONGEST || field.chars().anyMatch(c -> c <= ' ' || c >= 0x7F)) {
            throw Problem.invalid(List.of(new Fault(
                    List.of("headers", "idempotency-key"),
                    "Idempotency-Key must have 1 to " + LONGEST + " visible ASCII characters, without spaces")));
        }
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(hash.digest(field.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
