package dev.inboxd.apikey;

import dev.inboxd.access.Permission;
import dev.inboxd.database.Row;
import dev.inboxd.database.Statement;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.page.Cursor;
import dev.inboxd.page.Page;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The key rows and the global look-up of their hashes, which live and die together. */
final class ApiKeySql {
    static final String COLUMNS = """
            k.api_key_id, k.pod_id, k.inbox_id, k.name, k.prefix, k.permissions, k.permissions is null as unrestricted,
            k.provider_connect, k.used_at, k.expires_at, k.created_at, k.updated_at,
            (select i.address from inbox i where i.organization_id = k.organization_id and i.inbox_id = k.inbox_id)
                as inbox_name""";
    private static final String SELECT = "select " + COLUMNS + " from api_key k where {k}";

    private ApiKeySql() {}

    /** Whose key a hash is. */
    record Secret(UUID organization, UUID apiKey) {}

    static Optional<Secret> secret(Tx tx, byte[] hash) {
        return tx.sql("select s.organization_id, s.api_key_id from api_key_secret s where s.hash = :hash")
                .bind("hash", hash).first(row -> new Secret(row.uuid("organization_id"), row.uuid("api_key_id")));
    }

    static Optional<ApiKey> find(Tx tx, View view, UUID id) {
        return tx.sql(view, SELECT + " and k.api_key_id = :id").bind("id", id).first(ApiKeySql::read);
    }

    static List<ApiKey> list(Tx tx, View view, Page page) {
        String order = page.ascending() ? "asc" : "desc";
        String compare = page.ascending() ? ">" : "<";
        Cursor after = page.after();
        String sql = SELECT
                + (after == null ? "" : " and (k.created_at, k.api_key_id) " + compare + " (:time, :id)")
                + " order by k.created_at " + order + ", k.api_key_id " + order + " limit :limit";
        return tx.sql(view, sql).bind("limit", page.fetch())
                .bind("time", after == null ? null : after.instant(0))
                .bind("id", after == null ? null : after.uuid(1)).list(ApiKeySql::read);
    }

    static int countLive(Tx tx, View view) {
        return tx.sql(view, "select count(*) as n from api_key k"
                + " where {k} and (k.expires_at is null or k.expires_at > {now})").one(row -> row.integer("n"));
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

    static boolean delete(Tx tx, View view, UUID id) {
        return forget(tx, tx.sql(view, "delete from api_key k where {k} and k.api_key_id = :id returning k.hash")
                .bind("id", id));
    }

    static void deleteSignUpKeys(Tx tx, View view) {
        forget(tx, tx.sql(view, "delete from api_key k where {k} and k.from_sign_up returning k.hash"));
    }

    static void deleteAll(Tx tx, View view) {
        forget(tx, tx.sql(view, "delete from api_key k where {k} returning k.hash"));
    }

    /** Without the hash in the global look-up, a key is unknown from the commit on. */
    private static boolean forget(Tx tx, Statement deletion) {
        List<byte[]> hashes = deletion.list(row -> row.bytes("hash"));
        if (!hashes.isEmpty()) {
            tx.sql("delete from api_key_secret s where s.hash = any (:hashes)")
                    .bind("hashes", hashes.toArray(byte[][]::new)).run();
        }
        return !hashes.isEmpty();
    }

    static void used(Tx tx, View view, UUID[] keys, Instant[] times) {
        tx.sql(view, """
                update api_key k set used_at = u.at
                from unnest(:keys::uuid[], :times::timestamptz[]) as u (api_key_id, at)
                where {k} and k.api_key_id = u.api_key_id and (k.used_at is null or k.used_at < u.at)""")
                .bind("keys", keys).bind("times", times).run();
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
}
