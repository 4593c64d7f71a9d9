package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Access;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Authenticator;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.json.Timestamps;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates a bearer key or a session token. Each request reads the key's row, so a revoked key is refused at once
 * (promise P12). The owner of a secret never changes, so it is cached; the cached owner of a revoked key has no row.
 */
public final class CredentialAuthenticator implements Authenticator {
    /** The largest number of cached secrets; each takes some 200 octets. */
    private static final int MOST_CACHED = 8_192;

    private final Database database;
    private final InstantSource clock;
    private final KeyUsage usage;
    private final Function<String, Caller> sessions;
    private final Function<UUID, @Nullable Problem> moved;
    private final Map<ByteBuffer, ApiKeySql.Secret> secrets = new ConcurrentHashMap<>();

    /**
     * Authenticates against a database, and records the use of keys there.
     *
     * @param means how others than keys are known
     */
    public CredentialAuthenticator(Database database, InstantSource clock, KeyUsage usage, Means means) {
        this.database = database;
        this.clock = clock;
        this.usage = usage;
        this.sessions = means.sessions;
        this.moved = means.moved;
    }

    /**
     * How others than keys are known, and who is answered no more.
     *
     * @param sessions authenticates a session token, or throws a problem with status 401
     * @param moved what the keys of an organization are told that is in another installation now; null while it is here
     */
    public record Means(Function<String, Caller> sessions, Function<UUID, @Nullable Problem> moved) {}

    @Override
    public Caller authenticate(String secret, Access access) {
        return authenticate(secret, access, Prefetch.NOTHING);
    }

    @Override
    public Caller authenticate(String secret, Access access, Prefetch prefetch) {
        if (isTokenShaped(secret)) {
            if (requiresKey(access)) {
                throw Problem.of(ErrorCode.INVALID_TOKEN_TYPE, "This call takes an API key, not a session token");
            }
            Caller caller = sessions.apply(secret);
            requireHere(caller.view().organization());
            return caller;
        }
        ByteBuffer hash = ByteBuffer.wrap(Digests.sha256(secret));
        return database.read(tx -> {
            ApiKeySql.Secret cached = secrets.get(hash);
            ApiKeySql.Secret owner = cached != null
                    ? cached
                    : ApiKeySql.secret(tx, hash.array()).orElseThrow(CredentialAuthenticator::unknown);
            RoundTrip trip = tx.roundTrip();
            RoundTrip.Result<ApiKeySql.EffectiveGrant> holding =
                    ApiKeySql.prefetch(trip, owner.organization(), List.of(owner.apiKey()));
            requireHere(owner.organization());
            prefetch.prefetch(trip, owner.organization());
            trip.run();
            if (holding.rows().isEmpty()) {
                secrets.remove(hash);
                throw unknown();
            }
            if (cached == null) {
                cache(hash, owner);
            }
            return caller(
                    owner.organization(),
                    used(owner.organization(), holding.rows().getFirst()));
        });
    }

    private void cache(ByteBuffer hash, ApiKeySql.Secret owner) {
        if (secrets.size() >= MOST_CACHED) {
            secrets.clear();
        }
        secrets.put(hash, owner);
    }

    /**
     * The caller of a key that was authenticated before, as its row is now: for connections that live longer than a
     * request. Authenticate again when {@link Revocations} notifies, and before data is sent.
     *
     * @throws Problem {@code unknown_api_key} when the key was revoked, {@code api_key_expired}
     */
    public Caller reauthenticate(UUID organization, UUID apiKey) {
        requireHere(organization);
        return database.read(tx -> caller(
                organization,
                used(
                        organization,
                        ApiKeySql.holding(tx, organization, apiKey).orElseThrow(CredentialAuthenticator::unknown))));
    }

    /**
     * The callers of several keys of an organization, as {@link #reauthenticate(UUID, UUID)} finds one, without those
     * that were revoked or have expired.
     */
    public Map<UUID, Caller> reauthenticate(UUID organization, Collection<UUID> keys) {
        Map<UUID, Caller> callers = new HashMap<>();
        if (moved.apply(organization) != null) {
            return callers;
        }
        for (ApiKeySql.EffectiveGrant holding : database.read(tx -> ApiKeySql.holdings(tx, organization, keys))) {
            if (!holding.isExpired(clock.instant())) {
                callers.put(holding.id(), caller(organization, holding));
            }
        }
        return callers;
    }

    /**
     * Those of some keys that were revoked or have expired.
     *
     * @param organizations the organization of each key, by key
     */
    public Set<UUID> ended(Map<UUID, UUID> organizations) {
        Set<UUID> ended = new HashSet<>(organizations.keySet());
        database.read(tx -> ApiKeySql.alive(tx, organizations)).forEach(ended::remove);
        return ended;
    }

    /** Keys have no dots; three base64url parts are a console session token (RFC 7515 §7.1, identity.md §2). */
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

    /** identity.md §2: routes that act in the name of one key. */
    private static boolean requiresKey(Access access) {
        return access == Gate.AGENT_VERIFY
                || access == Gate.ORGANIZATION_KEY
                || access == Permission.PROVIDER_CONNECT
                || access instanceof Access.OfKey;
    }

    private ApiKeySql.EffectiveGrant used(UUID organization, ApiKeySql.EffectiveGrant holding) {
        Instant now = clock.instant();
        if (holding.expiresAt() != null && holding.isExpired(now)) {
            throw Problem.of(
                    ErrorCode.API_KEY_EXPIRED, "The API key expired at " + Timestamps.format(holding.expiresAt()));
        }
        usage.note(organization, holding.id(), holding.usedAt(), now);
        return holding;
    }

    private static Caller caller(UUID organization, ApiKeySql.EffectiveGrant holding) {
        ApiKey.Owner owner = holding.owner();
        Set<Permission> held = holding.held();
        View view = new View(
                organization, owner.pod(), owner.inbox(), RestrictedLabel.hiddenFrom(held), holding.mailSince());
        return new Caller(
                new Caller.Credential.Key(holding.id()),
                owner.scope(),
                view,
                owner.inboxName(),
                held,
                holding.grant().permissions() == null,
                holding.organizationType().equals("agent_unverified"),
                holding.grant().needsApproval(),
                holding.organizationType().equals("wallet"));
    }

    private void requireHere(UUID organization) {
        Problem elsewhere = moved.apply(organization);
        if (elsewhere != null) {
            throw elsewhere;
        }
    }

    static Problem unknown() {
        return Problem.of(ErrorCode.UNKNOWN_API_KEY, "The API key is not known, or was revoked");
    }
}
