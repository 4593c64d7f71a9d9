package dev.inboxd.sandbox.access;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;

/** Whoever may change what belongs to a whole organization: an unrestricted key of it, or a session. */
public final class WorldOwner {
    private WorldOwner() {}

    /** Refuses everybody else. */
    public static void require(Caller caller) {
        if (caller.scope() != Scope.ORGANIZATION) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "Forbidden",
                    "This key is bound to one " + caller.scope().wireName()
                            + "; use an unrestricted key of the organization.");
        }
        if (!caller.unrestricted()) {
            throw Problem.of(
                    ErrorCode.UNRESTRICTED_KEY_REQUIRED,
                    "Only an unrestricted key can change the world to test in",
                    "Use a key that was stored without permissions, or the console.");
        }
    }
}
