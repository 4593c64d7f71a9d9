package dev.inboxd.tenant.apikey;

import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.platform.json.ClientIds;
import dev.inboxd.platform.json.JsonBody;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks when it registers a public key (identity.md §8.5).
 *
 * @param clientId the caller's own name for it, or null
 * @param name null for one made of its fingerprint
 * @param expiresAt null for the registering key's expiry
 */
record NewPublicKey(
        P256Key key,
        @Nullable String clientId,
        @Nullable String name,
        RequestedPermissions permissions,
        @Nullable Instant expiresAt) {
    private static final Duration LATEST = Duration.ofDays(3_653); // ten years with their leap days
    private static final int SHOWN_CHARACTERS = 8;

    /** Whether a body asks for a public key. */
    static boolean isAskedBy(JsonBody body) {
        return body.has("public_key");
    }

    /**
     * Reads a request's body.
     *
     * @param now what the expiry is measured from
     * @throws dev.inboxd.platform.error.Problem {@code validation_error} with everything that is wrong
     */
    static NewPublicKey read(JsonBody body, Instant now) {
        P256Key key = P256Key.read(body);
        String clientId = ClientIds.read(body);
        if (clientId != null && Uuid7.parse(clientId) != null) {
            body.fault("client_id", "client_id must not look like an id: it is taken in place of api_key_id");
        }
        String name = ApiKeyMembers.name(body);
        Instant expiresAt = ApiKeyMembers.expiresAt(body, now, now.plus(LATEST), "ahead, at most ten years");
        RequestedPermissions permissions = RequestedPermissions.read(body);
        body.check();
        return new NewPublicKey(Objects.requireNonNull(key), clientId, name, permissions, expiresAt);
    }

    /** The name that was asked for, or one made of the fingerprint. */
    String nameOrUsual() {
        return name != null ? name : "AgentID key " + key.fingerprint().substring(0, SHOWN_CHARACTERS);
    }

    /**
     * Whether a key is what this request would have made: the same material for the same owner, and whatever else was
     * said.
     *
     * @param grant what the permissions of this request come to
     */
    boolean isRepeatedBy(ApiKey before, ApiKey.Owner owner, ApiKey.Grant grant) {
        return before.family() instanceof ApiKey.Family.PublicKey family
                && family.key().equals(key)
                && before.owner().equals(owner)
                && (name == null || name.equals(before.name()))
                && (expiresAt == null || expiresAt.equals(before.expiresAt()))
                && (permissions instanceof RequestedPermissions.Omitted || grant.equals(before.grant()));
    }
}
