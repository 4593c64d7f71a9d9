package dev.inboxd.apikey;

import dev.inboxd.access.Access;
import dev.inboxd.access.Caller;
import dev.inboxd.access.Gate;
import dev.inboxd.access.Permission;
import dev.inboxd.access.RestrictedLabel;
import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.http.Authenticator;
import dev.inboxd.id.Digests;
import dev.inboxd.json.Timestamps;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Turns a bearer key or a session token into its caller. The row decides every time, so a revoked key is dead at once
 * (promise P12).
 */
public final class Authentication implements Authenticator {
    private final Database database;
    private final InstantSource clock;
    private final KeyUse use;
    private final Function<String, Caller> sessions;

    /**
     * Authentication against a database; the use of keys is noted there.
     *
     * @param sessions turns what is shaped like a session token into its caller, or throws a problem with status 401
     */
    public Authentication(Database database, InstantSource clock, KeyUse use, Function<String, Caller> sessions) {
        this.database = database;
        this.clock = clock;
        this.use = use;
        this.sessions = sessions;
    }

    @Override
    public Caller authenticate(String secret, Access access) {
        if (isTokenShaped(secret)) {
            if (takesKeysAlone(access)) {
                throw Problem.of(Code.INVALID_TOKEN_TYPE, "This call takes an API key, not a session token");
            }
            return sessions.apply(secret);
        }
        byte[] hash = Digests.sha256(secret);
        return database.read(tx -> {
            ApiKeySql.Secret found = ApiKeySql.secret(tx, hash).orElseThrow(Authentication::unknown);
            return caller(tx, found.organization(), found.apiKey());
        });
    }

    /**
     * The caller behind a key that was authenticated before and is still in use, as its row is now: for what stays open
     * longer than a request. Look again when {@link Revocations} says so, and when what was told may show something.
     *
     * @throws Problem {@code unknown_api_key} when it was revoked, {@code api_key_expired}
     */
    public Caller again(UUID organization, UUID apiKey) {
        return database.read(tx -> caller(tx, organization, apiKey));
    }

    /**
     * The callers behind several keys of an organization, as {@link #again(UUID, UUID)} finds one; without those that
     * were revoked or have expired.
     */
    public Map<UUID, Caller> again(UUID organization, Collection<UUID> keys) {
        Map<UUID, Caller> callers = new HashMap<>();
        for (ApiKeySql.Holding holding : database.read(tx -> ApiKeySql.holdings(tx, organization, keys))) {
            if (!holding.key().isExpired(clock.instant())) {
                callers.put(holding.key().id(), caller(organization, holding));
            }
        }
        return callers;
    }

    /**
     * Those of some keys that were revoked or have expired.
     *
     * @param organizations by key, whose it is
     */
    public Set<UUID> ended(Map<UUID, UUID> organizations) {
        return Set.copyOf(database.read(tx -> ApiKeySql.ended(tx, organizations)));
    }

    /** Keys have no dots; three base64url parts are a session token of the console (RFC 7515 §7.1, identity.md §2). */
    private static boolean isTokenShaped(String secret) {
        int dots = 0;
        boolean empty = true;
        for (int i = 0; i < secret.length(); i++) {
            char c = secret.charAt(i);
            if (c == '.' ? empty : !isBase64Url(c)) {
                return false;
            }
            empty = c == '.';
            dots += empty ? 1 : 0;
        }
        return dots == 2 && !empty;
    }

    private static boolean isBase64Url(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    /** identity.md §2: what acts in the name of one key. */
    private static boolean takesKeysAlone(Access access) {
        return access == Gate.AGENT_VERIFY || access == Gate.ORGANIZATION_KEY || access == Permission.PROVIDER_CONNECT;
    }

    private Caller caller(Tx tx, UUID organization, UUID apiKey) {
        ApiKeySql.Holding holding = ApiKeySql.holding(tx, organization, apiKey).orElseThrow(Authentication::unknown);
        ApiKey key = holding.key();
        Instant now = clock.instant();
        if (key.expiresAt() != null && key.isExpired(now)) {
            throw Problem.of(Code.API_KEY_EXPIRED, "The API key expired at " + Timestamps.format(key.expiresAt()));
        }
        use.note(organization, key.id(), key.usedAt(), now);
        return caller(organization, holding);
    }

    private static Caller caller(UUID organization, ApiKeySql.Holding holding) {
        ApiKey key = holding.key();
        Set<Permission> held = key.held(holding.unverified());
        View view = new View(organization, key.owner().pod(), key.owner().inbox(),
                RestrictedLabel.hiddenFrom(held), holding.mailSince());
        return new Caller(new Caller.Credential.Key(key.id()), key.owner().scope(), view, key.owner().inboxName(),
                held, key.grant().permissions() == null, holding.unverified());
    }

    static Problem unknown() {
        return Problem.of(Code.UNKNOWN_API_KEY, "The API key is not known, or was revoked");
    }
}
