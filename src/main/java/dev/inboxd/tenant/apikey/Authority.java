package dev.inboxd.tenant.apikey;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.access.Scope;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may pass on to keys, as its row says in this very transaction: a key that was narrowed or revoked while
 * its request was on the way passes on no more than it has left, and a session that was ended nothing.
 *
 * @param held the flags it effectively holds
 * @param unrestricted whether it was stored without a permissions set
 * @param expiresAt when it ends, or null
 */
record Authority(
        Set<Permission> held,
        boolean unrestricted,
        @Nullable Instant expiresAt) {
    Authority {
        held = Set.copyOf(held);
    }

    /**
     * Reads the caller's.
     *
     * @throws Problem {@code unknown_api_key} when it was revoked meanwhile, {@code unauthorized} for a session that
     *     was ended
     */
    static Authority of(Tx tx, Caller caller) {
        UUID organization = caller.organization();
        return switch (caller.credential()) {
            case Caller.Credential.Key(UUID id) ->
                of(ApiKeySql.holding(tx, organization, id).orElseThrow(CredentialAuthenticator::unknown));
            case Caller.Credential.Session(UUID id) ->
                ofSession(ApiKeySql.sessionUnverified(tx, organization, id)
                        .orElseThrow(() -> Problem.of(
                                ErrorCode.UNAUTHORIZED,
                                "The session was ended",
                                "Sign in again with POST /console/sign-in.")));
        };
    }

    /** A human passes on every flag: somebody must (identity.md §17). */
    private static Authority ofSession(boolean unverified) {
        return new Authority(
                ApiKey.effective(EnumSet.allOf(Permission.class), Scope.ORGANIZATION, unverified), true, null);
    }

    private static Authority of(ApiKeySql.EffectiveGrant holding) {
        return new Authority(holding.held(), holding.grant().permissions() == null, holding.expiresAt());
    }
}
