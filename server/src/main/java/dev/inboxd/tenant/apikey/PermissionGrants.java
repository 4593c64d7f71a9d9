package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The rules against escalation (identity.md §5.6): no caller grants what it does not hold. */
final class PermissionGrants {
    private static final String STORED_WITHOUT = " with a key that was stored without permissions, or in the console";

    private PermissionGrants() {}

    /**
     * The grant of a new bearer key.
     *
     * @param giver the caller's authority
     * @param target the scope of the new key
     * @throws Problem {@code permission_escalation}, {@code unrestricted_key_required}
     */
    static ApiKey.Grant forNew(Authority giver, Scope target, RequestedPermissions requested) {
        // A permission that must be granted by name is not granted to a bearer key when the request names none (§5.2).
        return requested instanceof RequestedPermissions.Omitted()
                ? own(giver, target, Set.of())
                : requestedGrant(giver, requested);
    }

    /** The grant of a new public key: when the request names none, all that the registering key has (§8.5). */
    static ApiKey.Grant forPublicKey(Authority giver, Scope target, RequestedPermissions requested) {
        return requested instanceof RequestedPermissions.Omitted()
                ? own(giver, target, connecting(giver))
                : requestedGrant(giver, requested);
    }

    /** The grant of an existing key after a change. */
    static ApiKey.Grant instead(Authority giver, ApiKey.Grant before, RequestedPermissions requested) {
        if (requested instanceof RequestedPermissions.Omitted()) {
            return before;
        }
        if (before.permissions() == null) {
            requireUnrestricted(
                    giver,
                    "Only an unrestricted key can change the permissions of an unrestricted key",
                    "The key to change is unrestricted. Change it" + STORED_WITHOUT + ".");
        }
        return switch (requested) {
            case RequestedPermissions.Omitted() -> before;
            case RequestedPermissions.Unrestricted() -> {
                requireUnrestricted(
                        giver,
                        "Only an unrestricted key can clear the permissions of a key",
                        "permissions is null, which clears them. Clear them" + STORED_WITHOUT
                                + ", or name the permissions.");
                yield new ApiKey.Grant(null, before.named());
            }
            case RequestedPermissions.Listed listed -> {
                Set<Permission> permissions = listed.granted();
                if (before.named().contains(Permission.PROVIDER_CONNECT)
                        && !listed.flags().containsKey(Permission.PROVIDER_CONNECT)) {
                    permissions.add(Permission.PROVIDER_CONNECT);
                }
                check(giver, permissions, before.named());
                yield ApiKey.Grant.of(permissions);
            }
        };
    }

    private static ApiKey.Grant requestedGrant(Authority giver, RequestedPermissions requested) {
        return switch (requested) {
            case RequestedPermissions.Omitted() -> throw new IllegalArgumentException("nothing was asked");
            case RequestedPermissions.Unrestricted() -> {
                requireUnrestricted(
                        giver,
                        "Only an unrestricted key can create another",
                        "permissions is null, which asks for an unrestricted key. Create it" + STORED_WITHOUT
                                + ", or leave permissions out.");
                yield ApiKey.Grant.UNRESTRICTED;
            }
            case RequestedPermissions.Listed listed -> {
                Set<Permission> permissions = listed.granted();
                check(giver, permissions, Set.of());
                yield ApiKey.Grant.of(permissions);
            }
        };
    }

    /** All that the giver has and that a key of that scope can use. */
    private static ApiKey.Grant own(Authority giver, Scope target, Set<Permission> named) {
        if (giver.unrestricted()) {
            return new ApiKey.Grant(null, named);
        }
        Set<Permission> flags = EnumSet.noneOf(Permission.class);
        flags.addAll(giver.held());
        flags.removeIf(flag -> !target.allows(flag) || flag.isByNameAlone());
        return new ApiKey.Grant(flags, named);
    }

    /** A public key signs at apps, and does nothing else that is given by name alone. */
    private static Set<Permission> connecting(Authority giver) {
        return giver.held().contains(Permission.PROVIDER_CONNECT) ? Set.of(Permission.PROVIDER_CONNECT) : Set.of();
    }

    private static void requireUnrestricted(Authority giver, String message, String fix) {
        if (!giver.unrestricted()) {
            throw Problem.of(ErrorCode.UNRESTRICTED_KEY_REQUIRED, message, fix);
        }
    }

    /**
     * A key passes on what it holds, except the permission to approve: that a person gives, so that no agent approves
     * by a key that it made for it.
     *
     * @param before what the key holds already by name
     */
    private static void check(Authority giver, Set<Permission> permissions, Set<Permission> before) {
        Set<Permission> beyond = EnumSet.noneOf(Permission.class);
        beyond.addAll(permissions);
        beyond.removeAll(giver.held());
        boolean approves = permissions.contains(Permission.DRAFT_APPROVE) && !before.contains(Permission.DRAFT_APPROVE);
        if (approves && !giver.session()) {
            beyond.add(Permission.DRAFT_APPROVE);
        }
        if (!beyond.isEmpty()) {
            String flags = beyond.stream().map(Permission::wireName).collect(Collectors.joining(", "));
            throw Problem.of(
                    ErrorCode.PERMISSION_ESCALATION,
                    "A key cannot give permissions that it does not hold",
                    "Leave out, or set to false, what the calling key does not hold: " + flags
                            + ". Or call with a key that holds it.");
        }
    }
}
