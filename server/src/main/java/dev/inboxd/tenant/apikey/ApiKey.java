package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored key: a bearer secret, or a public key, which authenticates no request (identity.md §2).
 *
 * @param family the kind of key, with the properties of that kind
 * @param owner the organization, pod or inbox that it is bound to
 * @param grant its permissions
 * @param usedAt approximately when it was last used, or null
 */
public record ApiKey(
        UUID id,
        String name,
        Family family,
        Owner owner,
        Grant grant,
        @Nullable Instant usedAt,
        @Nullable Instant expiresAt,
        Instant createdAt,
        Instant updatedAt) {

    /** The permissions that answers name also for a key that holds everything else (identity.md §5.2). */
    private static final List<Permission> NAMED =
            List.of(Permission.DRAFT_APPROVE, Permission.MESSAGE_RELEASE, Permission.AUDIT_READ);

    /** The kinds of keys, as {@code type} names them. */
    enum Type {
        /** A secret that is sent with each request. */
        BEARER,
        /** The public half of a key pair; the private half signs. */
        PUBLIC_KEY;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The properties of each kind of key. */
    public sealed interface Family {
        /**
         * A secret that is sent with each request.
         *
         * @param prefix its first characters, which are shown
         */
        record Bearer(String prefix) implements Family {}

        /**
         * The public half of a key pair; the private half signs at sign-in.
         *
         * @param key null as long as a sign-in key is pending
         * @param createdBy the bearer key that registered it, which may have been deleted since
         * @param clientId the id that its creator chose for it, or null
         * @param status null for a key that was registered with the API
         */
        record PublicKey(
                @Nullable P256Key key,
                UUID createdBy,
                @Nullable String clientId,
                @Nullable SignInStatus status) implements Family {}
    }

    /** The status of a sign-in key (apps.md §5). */
    public enum SignInStatus {
        /** Nobody has given its public half yet. */
        PENDING,
        /** It signs. */
        ACTIVE;

        /** The name in the database and in answers. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What a key is bound to: the organization, a pod or an inbox.
     *
     * @param pod set for pod and inbox keys
     * @param inbox set for inbox keys
     * @param inboxName the inbox's public id
     */
    public record Owner(
            @Nullable UUID pod,
            @Nullable UUID inbox,
            @Nullable String inboxName) {
        /** Bound to the organization alone. */
        public static final Owner ORGANIZATION = new Owner(null, null, null);

        /** The scope of the key. */
        public Scope scope() {
            return inbox != null ? Scope.INBOX : pod != null ? Scope.POD : Scope.ORGANIZATION;
        }
    }

    /**
     * The permissions of a key (identity.md §5.2).
     *
     * @param permissions the flags without those that are granted by name alone, or null for an unrestricted key
     * @param named those that were granted by name, whatever else the key holds
     * @param needsApproval whether nothing leaves through the key without approval (approvals.md §1)
     */
    public record Grant(@Nullable Set<Permission> permissions, Set<Permission> named, boolean needsApproval) {
        /** The permissions of a key that sends without approval. */
        public Grant(@Nullable Set<Permission> permissions, Set<Permission> named) {
            this(permissions, named, false);
        }

        public Grant {
            permissions = permissions == null ? null : Set.copyOf(permissions);
            named = Set.copyOf(named);
        }

        /** Every permission, sign-in to apps included: for the first key of an organization. */
        public static final Grant ROOT = new Grant(null, Set.of(Permission.PROVIDER_CONNECT));

        /** Every permission except those that must be granted by name. */
        public static final Grant UNRESTRICTED = new Grant(null, Set.of());

        /** These flags and no others. */
        public static Grant of(Set<Permission> flags) {
            Set<Permission> others = EnumSet.noneOf(Permission.class);
            others.addAll(flags);
            others.removeIf(Permission::isByNameAlone);
            Set<Permission> named = EnumSet.noneOf(Permission.class);
            named.addAll(flags);
            named.removeAll(others);
            return new Grant(others, named);
        }

        /** The same permissions, with or without approval. */
        Grant approved(boolean needed) {
            return new Grant(permissions, named, needed);
        }

        /** The flags of this grant. */
        Set<Permission> flags() {
            Set<Permission> flags = EnumSet.noneOf(Permission.class);
            if (permissions == null) {
                flags.addAll(EnumSet.allOf(Permission.class));
                flags.removeIf(Permission::isByNameAlone);
            } else {
                flags.addAll(permissions);
            }
            flags.addAll(named);
            return flags;
        }
    }

    /**
     * The flags that are effective: granted, allowed in its scope, not withheld from its organization (identity.md
     * §5.3).
     *
     * @param unverified whether no human has verified the organization yet
     */
    Set<Permission> held(boolean unverified) {
        return effective(grant.flags(), owner.scope(), unverified);
    }

    /**
     * The flags of a grant that are effective for a credential of a scope.
     *
     * @param unverified whether no human has verified the organization yet
     */
    public static Set<Permission> effective(Set<Permission> granted, Scope scope, boolean unverified) {
        Set<Permission> held = EnumSet.noneOf(Permission.class);
        held.addAll(granted);
        held.removeIf(flag -> !scope.allows(flag) || (unverified && flag.needsVerification()));
        return held;
    }

    /** Whether an inbox signs in at an app with it (apps.md §5). */
    boolean isForSignIn() {
        return family instanceof Family.PublicKey key && key.status() != null;
    }

    /** This key with another name and grant. */
    ApiKey with(String newName, Grant newGrant) {
        return new ApiKey(id, newName, family, owner, newGrant, usedAt, expiresAt, createdAt, updatedAt);
    }

    /** This key, changed at that time. */
    ApiKey updatedAt(Instant time) {
        return new ApiKey(id, name, family, owner, grant, usedAt, expiresAt, createdAt, time);
    }

    /** The JSON form (identity.md §8.3). */
    public JsonObject json() {
        JsonObject json = new JsonObject();
        switch (family) {
            case Family.Bearer(String prefix) ->
                json.with("type", Type.BEARER.wireName())
                        .with("api_key_id", id)
                        .with("prefix", prefix)
                        .with("permissions", isEverything() ? null : json(grant.flags()));
            case Family.PublicKey(P256Key key, UUID createdBy, String clientId, SignInStatus status) ->
                json.with("type", Type.PUBLIC_KEY.wireName())
                        .with("api_key_id", id)
                        .with("client_id", clientId)
                        .with("public_key", key == null ? null : key.json())
                        .with("status", status == null ? null : status.wireName())
                        .with("permissions", status == null ? json(shown()) : signInPermissions())
                        .with("created_by", JsonObject.of("api_key_id", createdBy));
        }
        return json.with("send_approval", grant.needsApproval() ? "required" : null)
                .with("name", name)
                .with("pod_id", owner.pod())
                .with("inbox_id", owner.inboxName())
                .with("used_at", usedAt)
                .with("expires_at", expiresAt)
                .with("updated_at", updatedAt)
                .with("created_at", createdAt);
    }

    /** Whether a key without a list of permissions has no word to say of them: nothing was given to it by name. */
    private boolean isEverything() {
        return grant.permissions() == null && NAMED.stream().noneMatch(grant.named()::contains);
    }

    /** The flags of an unrestricted key are listed one by one where {@code permissions} is required (§5.2). */
    private Set<Permission> shown() {
        return grant.permissions() == null ? held(false) : grant.flags();
    }

    /** A sign-in key has exactly these two, both of them as booleans (apps.md §1). */
    private JsonObject signInPermissions() {
        Set<Permission> flags = grant.flags();
        return JsonObject.of(Permission.PROVIDER_CONNECT.wireName(), flags.contains(Permission.PROVIDER_CONNECT))
                .with(Permission.PROVIDER_SHARE_OWNER.wireName(), flags.contains(Permission.PROVIDER_SHARE_OWNER));
    }

    private static JsonObject json(Set<Permission> flags) {
        JsonObject permissions = new JsonObject();
        for (Permission flag : flags) {
            permissions.with(flag.wireName(), true);
            if (flag.otherName() != null) {
                permissions.with(flag.otherName(), true);
            }
        }
        return permissions;
    }
}
