package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.error.Quotation;
import dev.inboxd.base.error.Suggestion;
import dev.inboxd.base.json.JsonBody;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The permissions in a request about a key. The value null differs from an absent member (identity.md §5.6). */
sealed interface RequestedPermissions {
    /** The member is absent. */
    record Omitted() implements RequestedPermissions {}

    /** The value is {@code null}: every permission. */
    record Unrestricted() implements RequestedPermissions {}

    /**
     * An object with flags.
     *
     * @param flags the flags that were named, true or false
     */
    record Listed(Map<Permission, Boolean> flags) implements RequestedPermissions {
        public Listed {
            flags = Map.copyOf(flags);
        }

        /** The flags that are true. */
        Set<Permission> granted() {
            Set<Permission> granted = EnumSet.noneOf(Permission.class);
            flags.forEach((flag, held) -> {
                if (held) {
                    granted.add(flag);
                }
            });
            return granted;
        }
    }

    /**
     * Requires that no permission is named but the two that a sign-in key has (apps.md §1, ruling 172).
     *
     * @throws Problem {@code validation_error}
     */
    static void requireSignIn(RequestedPermissions requested) {
        boolean isFit = switch (requested) {
            case Omitted() -> true;
            case Unrestricted() -> false;
            case Listed(Map<Permission, Boolean> flags) ->
                Set.of(Permission.PROVIDER_CONNECT, Permission.PROVIDER_SHARE_OWNER)
                        .containsAll(flags.keySet());
        };
        if (!isFit) {
            throw Problem.invalid(
                    "permissions",
                    "A sign-in key has provider_connect and provider_share_owner, and no other permission");
        }
    }

    /** Reads the member {@code permissions}; faults are added to the body. */
    static RequestedPermissions read(JsonBody body) {
        if (body.isNull("permissions")) {
            return new Unrestricted();
        }
        JsonBody permissions = body.object("permissions");
        if (permissions == null) {
            return new Omitted();
        }
        Map<Permission, Boolean> flags = new EnumMap<>(Permission.class);
        for (String name : permissions.names()) {
            Permission flag = Permission.ofWire(name);
            Boolean held = permissions.flag(name);
            if (flag == null) {
                permissions.fault(
                        name,
                        "There is no permission " + Quotation.of(name)
                                + Suggestion.question(name, Permission.wireNames()),
                        Fault.Code.UNKNOWN_NAME,
                        "one of " + String.join(", ", Permission.wireNames()));
            } else if (permissions.isNull(name)) {
                permissions.fault(name, name + " must be true or false");
            } else if (held != null && !held.equals(flags.getOrDefault(flag, held))) {
                // identity.md §5.1: two names of one flag must have the same value.
                permissions.fault(name, name + " is another name of a permission that has another value here");
            } else if (held != null) {
                flags.put(flag, held);
            }
        }
        return new Listed(flags);
    }
}
