package dev.inboxd.access;

import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The credential behind a request.
 *
 * @param apiKeyId the key used
 * @param scope its tier
 * @param view what it may see
 * @param inboxName the public id of its inbox; null unless the scope is an inbox
 * @param granted the flags it effectively holds: granted, within the scope, and not withheld from its organization
 * @param unrestricted whether it was stored without a permissions set
 * @param unverified whether its organization is an agent's that no human has verified yet
 */
public record Caller(UUID apiKeyId, Scope scope, View view, @Nullable String inboxName, Set<Permission> granted,
        boolean unrestricted, boolean unverified) {
    public Caller {
        granted = Set.copyOf(granted);
    }

    /** The organization of the credential. */
    public UUID organization() {
        return view.organization();
    }

    /** Whether the credential effectively holds the flag. */
    public boolean holds(Permission permission) {
        return granted.contains(permission);
    }

    /**
     * Refuses a credential that a route or a rule does not admit.
     *
     * @throws Problem {@link Code#MISSING_PERMISSION}, naming the flag and the way to get it
     */
    public void require(Access access) {
        boolean admitted = switch (access) {
            case Permission permission -> holds(permission);
            case Access.Either either -> holds(either.usual()) || holds(either.lesser());
            case Gate gate -> switch (gate) {
                case PUBLIC, ANY_KEY -> true;
                case ORGANIZATION_READ, ORGANIZATION_KEY -> scope == Scope.ORGANIZATION;
                case AGENT_VERIFY -> unverified;
            };
        };
        if (!admitted) {
            throw missing(access.wire());
        }
    }

    /** The refusal for a flag, set or derived, that this credential lacks, with the one remedy that helps. */
    public Problem missing(String flag) {
        return Problem.of(Code.MISSING_PERMISSION, "Forbidden",
                "The call needs the permission " + flag + ". " + remedy(flag));
    }

    /** identity.md §3.3, missing_permission (a) to (d). */
    private String remedy(String flag) {
        if (flag.equals(Gate.AGENT_VERIFY.wire())) {
            return "Only an unverified organization has it; this one is verified already, nothing is left to do.";
        }
        Permission settable = Permission.ofWire(flag);
        if (settable == null || !scope.allows(settable)) {
            return "This key is bound to one " + scope.wire() + "; use a key of a broader scope.";
        }
        if (unverified && settable.needsVerification()) {
            return "The organization must be verified first: POST /v0/agent/verify with the code sent to the human.";
        }
        return "Use a key that holds it, or create one with POST /v0/api-keys from a key that does.";
    }
}
