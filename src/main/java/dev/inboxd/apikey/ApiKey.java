package dev.inboxd.apikey;

import dev.inboxd.access.Permission;
import dev.inboxd.access.Scope;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A bearer key as it is stored.
 *
 * @param prefix the first characters of the secret
 * @param owner what it is bound to
 * @param grant what it was given
 */
public record ApiKey(UUID id, String name, String prefix, Owner owner, Grant grant, @Nullable Instant usedAt,
        @Nullable Instant expiresAt, Instant createdAt, Instant updatedAt) {

    /**
     * What a key is bound to.
     *
     * @param pod set for pod and inbox keys
     * @param inbox set for inbox keys
     * @param inboxName the inbox's public id
     */
    public record Owner(@Nullable UUID pod, @Nullable UUID inbox, @Nullable String inboxName) {
        /** Bound to the organization alone. */
        public static final Owner ORGANIZATION = new Owner(null, null, null);

        /** The tier. */
        public Scope scope() {
            return inbox != null ? Scope.INBOX : pod != null ? Scope.POD : Scope.ORGANIZATION;
        }
    }

    /**
     * What a key was given (contract: identity.md §5.2).
     *
     * @param permissions the flags, or null for an unrestricted key
     * @param providerConnect held only when it was given by name, whatever else the key holds
     */
    public record Grant(@Nullable Set<Permission> permissions, boolean providerConnect) {
        public Grant {
            permissions = permissions == null ? null : Set.copyOf(permissions);
        }

        /** Everything, sign-in to apps included: the first key of an organization. */
        public static final Grant ROOT = new Grant(null, true);
    }
}
