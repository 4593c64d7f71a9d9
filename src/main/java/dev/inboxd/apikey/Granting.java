package dev.inboxd.apikey;

import dev.inboxd.access.Caller;
import dev.inboxd.access.Permission;
import dev.inboxd.access.Scope;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The rules of escalation (contract: identity.md §5.6): nobody gives what he does not hold. */
final class Granting {
    private Granting() {}

    /**
     * What a new bearer key is given.
     *
     * @param target the tier of the new key
     * @throws Problem {@code permission_escalation}, {@code unrestricted_key_required}
     */
    static ApiKey.Grant forNew(Caller caller, Scope target, RequestedPermissions requested) {
        return switch (requested) {
            case RequestedPermissions.Omitted() ->
                    caller.unrestricted() ? ApiKey.Grant.UNRESTRICTED : constrained(caller, target);
            case RequestedPermissions.Unrestricted() -> {
                if (!caller.unrestricted()) {
                    throw Problem.of(Code.UNRESTRICTED_KEY_REQUIRED, "Only an unrestricted key can create another",
                            "permissions is null, which asks for an unrestricted key. Create it with a key that was"
                                    + " stored without permissions, or leave permissions out.");
                }
                yield ApiKey.Grant.UNRESTRICTED;
            }
            case RequestedPermissions.Listed listed -> {
                Set<Permission> wanted = listed.granted();
                check(caller, wanted);
                yield ApiKey.Grant.of(wanted);
            }
        };
    }

    /** All the caller has, but for what a new bearer key gets by name alone (identity.md §5.2). */
    private static ApiKey.Grant constrained(Caller caller, Scope target) {
        Set<Permission> flags = EnumSet.noneOf(Permission.class);
        flags.addAll(caller.granted());
        flags.removeIf(flag -> flag == Permission.PROVIDER_CONNECT || !target.allows(flag));
        return ApiKey.Grant.of(flags);
    }

    private static void check(Caller caller, Set<Permission> wanted) {
        Set<Permission> beyond = EnumSet.noneOf(Permission.class);
        beyond.addAll(wanted);
        beyond.removeAll(caller.granted());
        if (!beyond.isEmpty()) {
            String flags = beyond.stream().map(Permission::wire).collect(Collectors.joining(", "));
            throw Problem.of(Code.PERMISSION_ESCALATION, "A key cannot give permissions that it does not hold",
                    "Leave out what the calling key does not hold: " + flags + ". Or call with a key that holds it.");
        }
    }
}
