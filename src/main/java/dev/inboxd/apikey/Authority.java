package dev.inboxd.apikey;

import dev.inboxd.access.Caller;
import dev.inboxd.access.Permission;
import dev.inboxd.database.Tx;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may pass on to keys, as its row says in this very transaction: a key that was narrowed or revoked while
 * its request was on the way passes on no more than it has left.
 *
 * @param held the flags it effectively holds
 * @param unrestricted whether it was stored without a permissions set
 * @param expiresAt when it ends, or null
 */
record Authority(Set<Permission> held, boolean unrestricted, @Nullable Instant expiresAt) {
    Authority {
        held = Set.copyOf(held);
    }

    /**
     * Reads the caller's.
     *
     * @throws dev.inboxd.error.Problem {@code unknown_api_key} when it was revoked meanwhile
     */
    static Authority of(Tx tx, Caller caller) {
        return switch (caller.credential()) {
            case Caller.Credential.Key(UUID id) -> of(ApiKeySql.holding(tx, caller.organization(), id)
                    .orElseThrow(Authentication::unknown));
            case Caller.Credential.Session _ -> new Authority(caller.granted(), caller.unrestricted(), null);
        };
    }

    private static Authority of(ApiKeySql.Holding holding) {
        ApiKey key = holding.key();
        return new Authority(key.held(holding.unverified()), key.grant().permissions() == null, key.expiresAt());
    }
}
