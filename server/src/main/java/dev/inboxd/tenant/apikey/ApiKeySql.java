package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.ClientIds;
import dev.inboxd.base.page.PageRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The key rows and the global index of their hashes, which are inserted and deleted together. */
final class ApiKeySql {
    private static final String COLUMNS = """
            k.api_key_id, k.pod_id, k.inbox_id, k.name, k.prefix, k.public_key, k.client_id, k.created_by,
            %s, k.status, k.used_at, k.expires_at, k.created_at, k.updated_at,
            (select i.address from inbox i where i.organization_id = {organization} and i.inbox_id = k.inbox_id)
                as inbox_name""".formatted(GrantColumns.ALL);
    /** A sign-in key is gone when its time is over; other keys are shown with the time at which they expired. */
    private static final String SELECT =
            "select " + COLUMNS + " from api_key k where {k} and (k.status is null or k.expires_at > {now})";

    private static final RowStatement.Column<UUID> KEY_ID = RowStatement.uuid("id", id -> id);
    /** The query of authentication, which every request runs. */
    private static final RowStatement<UUID> HOLDINGS = RowStatement.of("""
            select k.api_key_id, k.pod_id, k.inbox_id,
                %s, k.used_at, k.expires_at, o.type as organization_type, o.mail_since,
                (select i.address from inbox i where i.organization_id = {organization} and i.inbox_id = k.inbox_id)
                    as inbox_name
            from {rows} as key join api_key k on {k} and k.api_key_id = key.id
            join organization o on o.organization_id = k.organization_id""".formatted(GrantColumns.ALL), KEY_ID);

    private static final KeysetList LIST = KeysetList.byTimeAndId("k.created_at", "k.api_key_id");

    private ApiKeySql() {}

    record Secret(UUID organization, UUID apiKey) {}

    /** The permissions of a stored key, with the properties of its organization that limit it. */
    record EffectiveGrant(
            UUID id,
            ApiKey.Owner owner,
            ApiKey.Grant grant,
            @Nullable Instant usedAt,
            @Nullable Instant expiresAt,
            String organizationType,
            @Nullable Instant mailSince) {
        static EffectiveGrant read(Row row) {
            return new EffectiveGrant(
                    row.uuid("api_key_id"),
                    ApiKeySql.owner(row),
                    GrantColumns.read(row),
                    row.instantOrNull("used_at"),
                    row.instantOrNull("expires_at"),
                    row.text("organization_type"),
                    row.instantOrNull("mail_since"));
        }

        /** The flags that are effective. */
        Set<Permission> held() {
            return ApiKey.effective(grant.flags(), owner.scope(), organizationType.equals("agent_unverified"));
        }

        boolean isExpired(Instant now) {
            return expiresAt != null && !expiresAt.isAfter(now);
        }
    }

    static Optional<Secret> secret(Tx tx, byte[] hash) {
        return tx.sql("select s.organization_id, s.api_key_id from api_key_secret s where s.hash = :hash")
                .bind("hash", hash)
                .first(row -> new Secret(row.uuid("organization_id"), row.uuid("api_key_id")));
    }

    static Optional<EffectiveGrant> holding(Tx tx, UUID organization, UUID key) {
        return holdings(tx, organization, List.of(key)).stream().findFirst();
    }

    static List<EffectiveGrant> holdings(Tx tx, UUID organization, Collection<UUID> keys) {
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<EffectiveGrant> holdings = prefetch(trip, organization, keys);
        trip.run();
        return holdings.rows();
    }

    static RoundTrip.Result<EffectiveGrant> prefetch(RoundTrip trip, UUID organization, Collection<UUID> keys) {
        return trip.query(View.of(organization), HOLDINGS, List.copyOf(keys), EffectiveGrant::read);
    }

    /** Those of the keys, each given with its organization, that exist and have not expired. */
    static List<UUID> alive(Tx tx, Map<UUID, UUID> organizations) {
        List<UUID> keys = List.copyOf(organizations.keySet());
        return tx.sqlAcrossTenants("""
                select k.api_key_id
                from unnest(:organizations::uuid[], :keys::uuid[]) as u (organization_id, api_key_id)
                join api_key k on k.organization_id = u.organization_id and k.api_key_id = u.api_key_id
                where k.expires_at is null or k.expires_at > {now}""")
                .bind("organizations", keys.stream().map(organizations::get).toArray(UUID[]::new))
                .bind("keys", keys.toArray(UUID[]::new))
                .list(row -> row.uuid("api_key_id"));
    }

    static Optional<ApiKey> find(Tx tx, View view, UUID id) {
        return tx.sql(view, SELECT + " and k.api_key_id = :id").bind("id", id).first(ApiKeySql::read);
    }

    /** Finds a key by its id, or by the alias of a public key. An alias never looks like an id. */
    static Optional<ApiKey> named(Tx tx, View view, String name) {
        UUID id = Uuid7.parse(name);
        return id != null
                ? find(tx, view, id)
                : ClientIds.isValid(name) ? findByClientId(tx, view, name) : Optional.empty();
    }

    static Optional<ApiKey> findByClientId(Tx tx, View view, String clientId) {
        return tx.sql(view, SELECT + " and k.client_id = :client")
                .bind("client", clientId)
                .first(ApiKeySql::read);
    }

    static List<ApiKey> list(Tx tx, View view, ApiKey.@Nullable Type type, PageRequest page) {
        String select = SELECT + (type == null ? "" : " and (k.created_by is not null) = :public");
        return LIST.page(tx, view, select, page)
                .bind("public", type == ApiKey.Type.PUBLIC_KEY)
                .list(ApiKeySql::read);
    }

    static int countLive(Tx tx, View view) {
        return tx.sql(
                        view,
                        "select count(*) as n from api_key k"
                                + " where {k} and (k.expires_at is null or k.expires_at > {now})")
                .single(row -> row.integer("n"));
    }

    /** @param hash the digest of a bearer key's secret; null for a public key */
    static void insert(Tx tx, View view, ApiKey key, byte @Nullable [] hash, boolean fromSignUp) {
        Statement row = tx.sql(view, """
                insert into api_key (organization_id, api_key_id, pod_id, inbox_id, name, prefix, hash, public_key,
                    client_id, created_by, permissions, provider_connect, message_release, draft_approve, audit_read,
                    send_approval, status, from_sign_up, expires_at, created_at, updated_at)
                values ({organization}, :id, :pod, :inbox, :name, :prefix, :hash, :public, :client, :creator,
                        :permissions, :connect, :release, :approve, :audit, :approval, :status, :sign_up, :expires,
                        :now, :now)""")
                .bind("id", key.id())
                .bind("pod", key.owner().pod())
                .bind("inbox", key.owner().inbox())
                .bind("name", key.name())
                .bind("hash", hash)
                .bind("sign_up", fromSignUp)
                .bind("expires", key.expiresAt())
                .bind("now", key.createdAt());
        bind(row, key.family());
        GrantColumns.bind(row, key.grant());
        row.run();
        if (hash != null) {
            tx.sql("insert into api_key_secret (hash, organization_id, api_key_id) values (:hash, :organization, :id)")
                    .bind("hash", hash)
                    .bind("organization", view.organization())
                    .bind("id", key.id())
                    .run();
        } else {
            PublicKeySql.insert(tx, view.organization(), key.id());
        }
    }

    private static void bind(Statement row, ApiKey.Family family) {
        switch (family) {
            case ApiKey.Family.Bearer(String prefix) ->
                row.bind("prefix", prefix)
                        .bind("public", null)
                        .bind("client", null)
                        .bind("creator", null)
                        .bind("status", null);
            case ApiKey.Family.PublicKey(P256Key material, UUID creator, String clientId, var status) ->
                row.bind("prefix", null)
                        .bind("public", material == null ? null : material.point())
                        .bind("client", clientId)
                        .bind("creator", creator)
                        .bind("status", status == null ? null : status.wireName());
        }
    }

    static void update(Tx tx, View view, ApiKey key) {
        Statement row = tx.sql(view, """
                update api_key k set name = :name, permissions = :permissions, provider_connect = :connect,
                                     message_release = :release, draft_approve = :approve,
                                     audit_read = :audit, send_approval = :approval, updated_at = :now
                where {k} and k.api_key_id = :id""");
        row.bind("id", key.id()).bind("name", key.name()).bind("now", key.updatedAt());
        GrantColumns.bind(row, key.grant());
        row.run();
    }

    static void delete(Tx tx, View view, UUID id) {
        forget(
                tx,
                tx.sql(view, "delete from api_key k where {k} and k.api_key_id = :id returning k.api_key_id, k.hash")
                        .bind("id", id));
    }

    static void deleteSignUpKeys(Tx tx, View view) {
        forget(tx, tx.sql(view, "delete from api_key k where {k} and k.from_sign_up returning k.api_key_id, k.hash"));
    }

    static void deleteAll(Tx tx, View view) {
        forget(tx, tx.sql(view, "delete from api_key k where {k} returning k.api_key_id, k.hash"));
    }

    /** Deletes at most {@code most} keys that expired at least {@code ago} ago, and returns their number. */
    static int deleteExpired(Tx tx, View view, Duration ago, int most) {
        return forget(
                tx, tx.sql(view, """
                delete from api_key k where {k} and k.api_key_id in (select o.api_key_id from api_key o where {o}
                     and o.expires_at < {now} - make_interval(secs => :ago) limit :most)
                returning k.api_key_id, k.hash""").bind("ago", (double) ago.toSeconds()).bind("most", most));
    }

    /** Deletes the hashes in the global index too, so that the keys are unknown from the commit on. */
    private static int forget(Tx tx, Statement deletion) {
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record DeletedKey(UUID id, byte @Nullable [] hash) {}
        List<DeletedKey> deleted =
                deletion.list(row -> new DeletedKey(row.uuid("api_key_id"), row.bytesOrNull("hash")));
        byte[][] secrets =
                deleted.stream().map(DeletedKey::hash).filter(Objects::nonNull).toArray(byte[][]::new);
        UUID[] publicKeys = deleted.stream()
                .filter(key -> key.hash == null)
                .map(DeletedKey::id)
                .toArray(UUID[]::new);
        if (secrets.length > 0) {
            tx.sql("delete from api_key_secret s where s.hash = any (:hashes)")
                    .bind("hashes", secrets)
                    .run();
        }
        if (publicKeys.length > 0) {
            PublicKeySql.delete(tx, publicKeys);
        }
        return deleted.size();
    }

    private static ApiKey read(Row row) {
        return new ApiKey(
                row.uuid("api_key_id"),
                row.text("name"),
                family(row),
                owner(row),
                GrantColumns.read(row),
                row.instantOrNull("used_at"),
                row.instantOrNull("expires_at"),
                row.instant("created_at"),
                row.instant("updated_at"));
    }

    private static ApiKey.Owner owner(Row row) {
        return new ApiKey.Owner(row.uuidOrNull("pod_id"), row.uuidOrNull("inbox_id"), row.textOrNull("inbox_name"));
    }

    private static ApiKey.Family family(Row row) {
        UUID creator = row.uuidOrNull("created_by");
        if (creator == null) {
            return new ApiKey.Family.Bearer(row.text("prefix"));
        }
        byte[] point = row.bytesOrNull("public_key");
        String status = row.textOrNull("status");
        return new ApiKey.Family.PublicKey(
                point == null ? null : P256Key.of(point),
                creator,
                row.textOrNull("client_id"),
                status == null ? null : ApiKey.SignInStatus.valueOf(status.toUpperCase(Locale.ROOT)));
    }
}
