package dev.inboxd.apikey;

import dev.inboxd.access.Permission;
import dev.inboxd.database.Row;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The key rows and the global look-up of their hashes. */
final class ApiKeySql {
    static final String COLUMNS = """
            k.api_key_id, k.pod_id, k.inbox_id, k.name, k.prefix, k.permissions, k.permissions is null as unrestricted,
            k.provider_connect, k.used_at, k.expires_at, k.created_at, k.updated_at,
            (select i.address from inbox i where i.organization_id = k.organization_id and i.inbox_id = k.inbox_id)
                as inbox_name""";

    private ApiKeySql() {}

    /** Whose key a hash is. */
    record Secret(UUID organization, UUID apiKey) {}

    static Optional<Secret> secret(Tx tx, byte[] hash) {
        return tx.sql("select s.organization_id, s.api_key_id from api_key_secret s where s.hash = :hash")
                .bind("hash", hash).first(row -> new Secret(row.uuid("organization_id"), row.uuid("api_key_id")));
    }

    static void insert(Tx tx, View view, ApiKey key, byte[] hash, boolean fromSignUp) {
        tx.sql(view, """
                insert into api_key (organization_id, api_key_id, pod_id, inbox_id, name, prefix, hash, permissions,
                                     provider_connect, from_sign_up, expires_at, created_at, updated_at)
                values ({organization}, :id, :pod, :inbox, :name, :prefix, :hash, :permissions, :connect, :sign_up,
                        :expires, :now, :now)""")
                .bind("id", key.id()).bind("pod", key.owner().pod()).bind("inbox", key.owner().inbox())
                .bind("name", key.name()).bind("prefix", key.prefix()).bind("hash", hash)
                .bind("permissions", wire(key.grant().permissions())).bind("connect", key.grant().providerConnect())
                .bind("sign_up", fromSignUp).bind("expires", key.expiresAt()).bind("now", key.createdAt()).run();
        tx.sql("insert into api_key_secret (hash, organization_id, api_key_id) values (:hash, :organization, :id)")
                .bind("hash", hash).bind("organization", view.organization()).bind("id", key.id()).run();
    }

    static ApiKey read(Row row) {
        Set<Permission> permissions = row.flag("unrestricted") ? null : permissions(row);
        return new ApiKey(row.uuid("api_key_id"), row.text("name"), row.text("prefix"),
                new ApiKey.Owner(row.uuidOrNull("pod_id"), row.uuidOrNull("inbox_id"), row.textOrNull("inbox_name")),
                new ApiKey.Grant(permissions, row.flag("provider_connect")), row.instantOrNull("used_at"),
                row.instantOrNull("expires_at"), row.instant("created_at"), row.instant("updated_at"));
    }

    private static Set<Permission> permissions(Row row) {
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        for (String wire : row.texts("permissions")) {
            Permission permission = Permission.ofWire(wire);
            if (permission != null) {
                permissions.add(permission);
            }
        }
        return permissions;
    }

    private static String @Nullable [] wire(@Nullable Set<Permission> permissions) {
        return permissions == null ? null : permissions.stream().map(Permission::wire).toArray(String[]::new);
    }

    static void used(Tx tx, View view, UUID key, Instant at) {
        tx.sql(view, "update api_key k set used_at = :at where k.organization_id = {organization} and k.api_key_id = :key")
                .bind("at", at).bind("key", key).run();
    }
}
