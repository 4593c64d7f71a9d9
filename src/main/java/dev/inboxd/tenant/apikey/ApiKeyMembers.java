package dev.inboxd.tenant.apikey;

import dev.inboxd.platform.json.JsonBody;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The members that several requests about keys share. */
final class ApiKeyMembers {
    private static final int LONGEST_NAME = 256;

    private ApiKeyMembers() {}

    /** The name without blanks around it, or null when absent or faulty. */
    static @Nullable String name(JsonBody body) {
        String name = body.string("name").optional();
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

    /** The end of the key, as exact as the database keeps it, or null when absent or faulty. */
    static @Nullable Instant expiresAt(JsonBody body, Instant afterThis, Instant atMost, String expected) {
        Instant expiresAt = body.instant("expires_at");
        if (expiresAt != null && (!expiresAt.isAfter(afterThis) || expiresAt.isAfter(atMost))) {
            body.fault("expires_at", "expires_at must lie " + expected);
        }
        return expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MICROS);
    }
}
