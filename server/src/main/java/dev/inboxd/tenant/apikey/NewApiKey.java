package dev.inboxd.tenant.apikey;

import dev.inboxd.base.json.JsonBody;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request for a new bearer key (identity.md §8.4).
 *
 * @param name null for a name made from its id
 * @param expiresAt null for the calling key's expiry
 * @param needsApproval whether nothing is to leave through it without approval
 */
record NewApiKey(
        @Nullable String name,
        RequestedPermissions permissions,
        @Nullable Instant expiresAt,
        boolean needsApproval) {
    private static final Duration SOONEST = Duration.ofSeconds(60);
    private static final Duration LATEST = Duration.ofDays(3_653); // ten years with their leap days

    /**
     * Reads a request's body.
     *
     * @param now the time from which the expiry is measured
     * @throws dev.inboxd.base.error.Problem {@code validation_error} with all faults
     */
    static NewApiKey read(JsonBody body, Instant now) {
        String name = ApiKeyMembers.name(body);
        Instant expiresAt = ApiKeyMembers.expiresAt(
                body, now.plus(SOONEST), now.plus(LATEST), "more than a minute and at most ten years ahead");
        RequestedPermissions permissions = RequestedPermissions.read(body);
        boolean needsApproval = ApiKeyMembers.needsApproval(body);
        body.check();
        return new NewApiKey(name, permissions, expiresAt, needsApproval);
    }
}
