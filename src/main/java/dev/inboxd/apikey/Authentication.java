package dev.inboxd.apikey;

import dev.inboxd.access.Caller;
import dev.inboxd.access.Permission;
import dev.inboxd.access.RestrictedLabel;
import dev.inboxd.access.Scope;
import dev.inboxd.database.Database;
import dev.inboxd.database.Row;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.http.Authenticator;
import dev.inboxd.id.Digests;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Turns a bearer key into its caller. The row decides every time, so a revoked key is dead at once (promise P12). */
public final class Authentication implements Authenticator {
    /** What an organization withholds from its keys until a human has verified it (contract: identity.md §5.3). */
    private static final Set<Permission> WITHHELD = EnumSet.of(Permission.API_KEY_CREATE, Permission.LIST_ENTRY_CREATE,
            Permission.LIST_ENTRY_DELETE, Permission.POD_CREATE, Permission.POD_UPDATE, Permission.POD_DELETE,
            Permission.PROVIDER_CONNECT);

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
    public Caller authenticate(String secret) {
        byte[] hash = Digests.sha256(secret);
        return database.read(tx -> {
            ApiKeySql.Secret found = ApiKeySql.secret(tx, hash).orElseThrow(Authentication::unknown);
            return caller(tx, found);
        });
    }

    private Caller caller(Tx tx, ApiKeySql.Secret found) {
        UUID organization = found.organization();
        Stored stored = tx.sql(View.of(organization), SELECT).bind("key", found.apiKey()).first(Stored::read)
                .orElseThrow(Authentication::unknown);
        ApiKey key = stored.key;
        Instant now = clock.instant();
        if (key.expiresAt() != null && !key.expiresAt().isAfter(now)) {
            throw Problem.of(Code.API_KEY_EXPIRED, "The API key expired at " + key.expiresAt());
        }
        use.note(organization, key.id(), key.usedAt(), now);
        Set<Permission> granted = granted(key, stored.unverified);
        View view = new View(organization, key.owner().pod(), key.owner().inbox(),
                RestrictedLabel.hiddenFrom(granted), stored.mailSince);
        return new Caller(key.id(), key.owner().scope(), view, key.owner().inboxName(), granted,
                key.grant().permissions() == null, stored.unverified);
    }

    private static Set<Permission> granted(ApiKey key, boolean unverified) {
        Set<Permission> granted = EnumSet.allOf(Permission.class);
        if (key.grant().permissions() != null) {
            granted.retainAll(key.grant().permissions());
        } else {
            granted.remove(Permission.MESSAGE_RELEASE); // opt-in: absent is false (contract README, ruling 8)
        }
        if (!key.grant().providerConnect()) {
            granted.remove(Permission.PROVIDER_CONNECT);
        }
        if (unverified) {
            granted.removeAll(WITHHELD);
        }
        Scope scope = key.owner().scope();
        granted.removeIf(permission -> !scope.allows(permission));
        return granted;
    }

    private static Problem unknown() {
        return Problem.of(Code.UNKNOWN_API_KEY, "The API key is not known, or was revoked");
    }
}
