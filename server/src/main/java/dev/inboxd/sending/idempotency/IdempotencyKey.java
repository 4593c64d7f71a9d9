package dev.inboxd.sending.idempotency;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * The key by which repeats of a send find each other.
 *
 * @param text the inbox and the Idempotency-Key, or a key made from the fingerprint
 * @param fingerprint equal for repeats of the same send only
 * @param isNamed whether the caller gave the key
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record IdempotencyKey(UUID organization, String text, byte[] fingerprint, boolean isNamed) {
    private static final String FIELD = "Idempotency-Key";
    private static final int LONGEST = 256;
    private static final String UNNAMED = "unnamed:";

    /**
     * The key of a request: its Idempotency-Key, or its fingerprint.
     *
     * @throws Problem {@code validation_error} when the Idempotency-Key is malformed
     */
    static IdempotencyKey of(Request request) {
        UUID organization = request.caller().organization();
        String field = request.header(FIELD);
        byte[] fingerprint = RequestFingerprint.of(request, field == null);
        if (field == null) {
            return unnamed(organization, fingerprint);
        }
        if (!isValid(field)) {
            throw Problem.invalid(List.of(new Fault(
                    List.of("headers", "idempotency-key"),
                    "Idempotency-Key must have 1 to " + LONGEST + " visible ASCII characters, without spaces")));
        }
        // The same key from another inbox is another key: programs count their orders for each inbox.
        return new IdempotencyKey(organization, request.view().inbox() + ":" + field, fingerprint, true);
    }

    private static boolean isValid(String field) {
        return !field.isEmpty() && field.length() <= LONGEST && field.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }

    /** The key of a send without an Idempotency-Key. */
    public static IdempotencyKey unnamed(UUID organization, byte[] fingerprint) {
        return new IdempotencyKey(organization, UNNAMED + HexFormat.of().formatHex(fingerprint), fingerprint, false);
    }
}
