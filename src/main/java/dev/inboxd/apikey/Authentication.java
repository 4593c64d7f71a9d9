package dev.inboxd.apikey;

import dev.inboxd.access.Access;
import dev.inboxd.access.Caller;
import dev.inboxd.access.Gate;
import dev.inboxd.access.Permission;
import dev.inboxd.access.RestrictedLabel;
import dev.inboxd.database.Database;
import dev.inboxd.database.Row;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.http.Authenticator;
import dev.inboxd.id.Digests;
import dev.inboxd.json.Timestamps;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Turns a bearer key into its caller. The row decides every time, so a revoked key is dead at once (promise P12). */
public final class Authentication implements Authenticator {
    private static final String SELECT = "select " + ApiKeySql.COLUMNS + """
            , o.type = 'agent_unverified' as unverified, o.mail_since
            from api_key k join organization o on o.organization_id = k.organization_id
            where {k} and k.api_key_id = :key""";

    private final Database database;
    private final InstantSource clock;
    private final KeyUse use;

    /** Authentication against a database; the use of keys is noted there. */
    public Authentication(Database database, InstantSource clock, KeyUse use) {
        this.database = database;
        this.clock = clock;
        this.use = use;
    }

    /** A stored key with what its organization adds. */
    private record Stored(ApiKey key, boolean unverified, @Nullable Instant mailSince) {
        static Stored read(Row row) {
            return new Stored(ApiKeySql.read(row), row.flag("unverified"), row.instantOrNull("mail_since"));
        }
    }

    @Override
    public Caller authenticate(String secret, Access access) {
        if (isTokenShaped(secret)) {
            throw takesKeysAlone(access)
                    ? Problem.of(Code.INVALID_TOKEN_TYPE, "This call takes an API key, not a session token")
                    : Problem.of(Code.UNAUTHORIZED, "The session token is not valid");
        }
        byte[] hash = Digests.sha256(secret);
        return database.read(tx -> {
            ApiKeySql.Secret found = ApiKeySql.secret(tx, hash).orElseThrow(Authentication::unknown);
            return caller(tx, found);
        });
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

    private Caller caller(Tx tx, ApiKeySql.Secret found) {
        UUID organization = found.organization();
        Stored stored = tx.sql(View.of(organization), SELECT).bind("key", found.apiKey()).first(Stored::read)
                .orElseThrow(Authentication::unknown);
        ApiKey key = stored.key;
        Instant now = clock.instant();
        if (key.expiresAt() != null && key.isExpired(now)) {
            throw Problem.of(Code.API_KEY_EXPIRED, "The API key expired at " + Timestamps.format(key.expiresAt()));
        }
        use.note(organization, key.id(), key.usedAt(), now);
        Set<Permission> held = key.held(stored.unverified);
        View view = new View(organization, key.owner().pod(), key.owner().inbox(),
                RestrictedLabel.hiddenFrom(held), stored.mailSince);
        return new Caller(key.id(), key.owner().scope(), view, key.owner().inboxName(), held,
                key.grant().permissions() == null, stored.unverified);
    }

    static Problem unknown() {
        return Problem.of(Code.UNKNOWN_API_KEY, "The API key is not known, or was revoked");
    }
}
