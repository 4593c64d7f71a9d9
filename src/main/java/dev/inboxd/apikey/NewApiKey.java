package dev.inboxd.apikey;

import dev.inboxd.json.JsonBody;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks of a new bearer key (contract: identity.md §8.4).
 *
 * @param name null for one made of its id
 * @param expiresAt null for the calling key's expiry
 */
record NewApiKey(@Nullable String name, RequestedPermissions permissions, @Nullable Instant expiresAt) {
    private static final int LONGEST_NAME = 256;
    private static final Duration SOONEST = Duration.ofSeconds(60);
    private static final Duration LATEST = Duration.ofDays(3_653); // ten years with their leap days

    /**
     * Reads a request's body.
     *
     * @param now what the expiry is measured from
     * @throws dev.inboxd.error.Problem {@code validation_error} with everything that is wrong
     */
    static NewApiKey read(JsonBody body, Instant now) {
        if (body.has("public_key")) {
            body.fault("public_key", "This server registers no public keys yet;"
                    + " leave public_key out to create a bearer key");
        }
        String name = body.string("name").optional();
        if (name != null) {
            name = name.strip();
            int length = name.codePointCount(0, name.length());
            if (length < 1 || length > LONGEST_NAME) {
                body.fault("name", "name must have 1 to " + LONGEST_NAME + " characters");
            }
        }
        Instant expiresAt = body.instant("expires_at");
        if (expiresAt != null
                && (!expiresAt.isAfter(now.plus(SOONEST)) || expiresAt.isAfter(now.plus(LATEST)))) {
            body.fault("expires_at", "expires_at must lie more than a minute and at most ten years ahead");
        }
        RequestedPermissions permissions = RequestedPermissions.read(body);
        body.check();
        return new NewApiKey(name, permissions, expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MICROS));
    }
}
