package dev.inboxd.tenant.apikey;

import dev.inboxd.base.json.JsonBody;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Members that several requests about keys have in common. */
final class ApiKeyMembers {
    private static final int LONGEST_NAME = 256;

    private ApiKeyMembers() {}

    /** The stripped name, or null when absent. A fault is added to the body. */
    static @Nullable String name(JsonBody body) {
        String name = body.string("name").keepEmpty().optional();
        if (name == null) {
            return null;
        }
        String stripped = name.strip();
        int length = stripped.codePointCount(0, stripped.length());
        if (length < 1 || length > LONGEST_NAME) {
            body.fault("name", "name must have 1 to " + LONGEST_NAME + " characters");
        }
        return stripped;
    }

    /** Whether the member {@code send_approval} is "required"; null clears it. A fault is added to the body. */
    static boolean needsApproval(JsonBody body) {
        String word = body.string("send_approval").optional();
        if (word != null && !word.equals("required")) {
            body.fault("send_approval", "send_approval is \"required\", or null for none");
        }
        return word != null;
    }

    /**
     * The expiry of the key, with the precision of the database, or null when absent. A fault is added to the body.
     */
    static @Nullable Instant expiresAt(JsonBody body, Instant afterThis, Instant atMost, String expected) {
        Instant expiresAt = body.instant("expires_at");
        if (expiresAt != null && (!expiresAt.isAfter(afterThis) || expiresAt.isAfter(atMost))) {
            body.fault("expires_at", "expires_at must lie " + expected);
        }
        return expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MICROS);
    }
}
