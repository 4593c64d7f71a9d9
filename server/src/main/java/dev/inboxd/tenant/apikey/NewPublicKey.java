package dev.inboxd.tenant.apikey;

import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.ClientIds;
import dev.inboxd.base.json.JsonBody;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to register a public key (identity.md §8.5).
 *
 * @param clientId the caller's own id for it, or null
 * @param name null for a name made from its fingerprint
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

    /** Whether the body requests a public key. */
    static boolean isAskedBy(JsonBody body) {
        return body.has("public_key");
    }

    /**
     * Reads a request's body.
     *
     * @param now the time from which the expiry is measured
     * @throws dev.inboxd.base.error.Problem {@code validation_error} with all faults
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

    /** The requested name, or one made from the fingerprint. */
    String nameOrUsual() {
        return name != null ? name : "Sign-in key " + key.fingerprint().substring(0, SHOWN_CHARACTERS);
    }

    /**
     * Whether this request repeats the one that created a key: the same key for the same owner, and no other value
     * differs.
     *
     * @param grant the permissions that this request results in
     */
    boolean isRepeatedBy(ApiKey before, ApiKey.Owner owner, ApiKey.Grant grant) {
        return before.family() instanceof ApiKey.Family.PublicKey family
                && key.equals(family.key())
                && family.status() == null
                && before.owner().equals(owner)
                && (name == null || name.equals(before.name()))
                && (expiresAt == null || expiresAt.equals(before.expiresAt()))
                && (permissions instanceof RequestedPermissions.Omitted || grant.equals(before.grant()));
    }
}
