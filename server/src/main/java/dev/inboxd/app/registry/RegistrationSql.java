package dev.inboxd.app.registry;

import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What registering an app writes. All of it happens under one lock. */
final class RegistrationSql {
    private RegistrationSql() {}

    /** Registrations of all nodes and commands go one after another. */
    static void lock(Tx tx) {
        tx.sql("select pg_advisory_xact_lock(hashtext('inboxd.app'))::text as locked")
                .first(row -> "");
    }

    /** The same, for changes of several apps: whoever else locks several rows of apps does so in this order. */
    static void lockAll(Tx tx) {
        lock(tx);
        tx.sql("select a.app_id from app a order by a.app_id for update").list(row -> row.uuid("app_id"));
    }

    static void insert(Tx tx, App app) {
        bound(tx.sql("""
                insert into app (app_id, slug, name, search_name, description, logo_url, terms_url, privacy_url,
                    categories, listed, enabled, redirect_uris, initiate_login_uri, scopes, client_auth_method,
                    id_token_alg, require_pkce, signup_limit, managed_by, accounts, created_at, updated_at)
                values (:id, :slug, :name, :search_name, :description, :logo, :terms, :privacy,
                    :categories, :listed, :enabled, :redirects, :initiate, :scopes, :method,
                    :alg, :pkce, :limit, :manager, 0, :updated, :updated)"""), app).run();
    }

    static void update(Tx tx, App app) {
        bound(tx.sql("""
                update app a set slug = :slug, name = :name, search_name = :search_name, description = :description,
                    logo_url = :logo, terms_url = :terms, privacy_url = :privacy, categories = :categories,
                    listed = :listed, enabled = :enabled, redirect_uris = :redirects, initiate_login_uri = :initiate,
                    scopes = :scopes, client_auth_method = :method, id_token_alg = :alg, require_pkce = :pkce,
                    signup_limit = :limit, managed_by = :manager, updated_at = :updated
                where a.app_id = :id"""), app).run();
    }

    private static Statement bound(Statement statement, App app) {
        App.Listing listing = app.listing();
        App.Client client = app.client();
        return statement
                .bind("id", app.id())
                .bind("slug", app.slug())
                .bind("name", listing.name())
                .bind("search_name", listing.name().toLowerCase(Locale.ROOT))
                .bind("description", listing.description())
                .bind("logo", listing.logoUrl())
                .bind("terms", listing.termsUrl())
                .bind("privacy", listing.privacyUrl())
                .bind("categories", listing.categories().toArray(String[]::new))
                .bind("listed", listing.isListed())
                .bind("enabled", app.isEnabled())
                .bind("redirects", client.redirectUris().toArray(String[]::new))
                .bind("initiate", client.initiateLoginUri())
                .bind(
                        "scopes",
                        AppFields.SCOPES.stream()
                                .filter(client.scopes()::contains)
                                .toArray(String[]::new))
                .bind("method", client.authMethod().wireName())
                .bind("alg", client.idTokenAlg().name())
                .bind("pkce", client.requiresPkce())
                .bind("limit", app.signupLimit())
                .bind("manager", app.managedBy().wireName())
                .bind("updated", app.updatedAt());
    }

    /** The ids of the apps that the file manages. */
    static List<UUID> ofFile(Tx tx) {
        return tx.sql("select a.app_id from app a where a.managed_by = 'file' order by a.app_id")
                .list(row -> row.uuid("app_id"));
    }

    static void releaseSlug(Tx tx, UUID app) {
        tx.sql("delete from app_slug s where s.app_id = :app").bind("app", app).run();
    }

    /** Gives a slug to an app; false when another app has it. */
    static boolean claimSlug(Tx tx, String slug, UUID app) {
        return tx.sql("insert into app_slug (slug, app_id) values (:slug, :app) on conflict (slug) do nothing")
                        .bind("slug", slug)
                        .bind("app", app)
                        .run()
                > 0;
    }

    /** A secret of an app. */
    record Secret(UUID app, UUID id, String hash, String managedBy, Instant createdAt) {}

    static List<Secret> secrets(Tx tx, List<UUID> apps) {
        return tx.sql("""
                select s.app_id, s.secret_id, s.hash, s.managed_by, s.created_at from app_secret s
                where s.app_id = any (:apps) order by s.app_id, s.created_at, s.secret_id""")
                .bind("apps", apps.toArray(UUID[]::new))
                .list(row -> new Secret(
                        row.uuid("app_id"),
                        row.uuid("secret_id"),
                        HexFormat.of().formatHex(row.bytes("hash")),
                        row.text("managed_by"),
                        row.instant("created_at")));
    }

    static UUID insertSecret(Tx tx, App app, String hash, Instant now) {
        UUID id = Uuid7.next();
        tx.sql("""
                insert into app_secret (app_id, secret_id, hash, managed_by, created_at)
                values (:app, :id, :hash, :manager, :now)""")
                .bind("app", app.id())
                .bind("id", id)
                .bind("hash", HexFormat.of().parseHex(hash))
                .bind("manager", app.managedBy().wireName())
                .bind("now", now)
                .run();
        return id;
    }

    static boolean deleteSecret(Tx tx, UUID app, UUID secret) {
        return tx.sql("delete from app_secret s where s.app_id = :app and s.secret_id = :id")
                        .bind("app", app)
                        .bind("id", secret)
                        .run()
                > 0;
    }

    /** The limits of single organizations, by app. */
    static Map<UUID, Map<UUID, Optional<Integer>>> limits(Tx tx, List<UUID> apps) {
        Map<UUID, Map<UUID, Optional<Integer>>> limits = new HashMap<>();
        tx.sqlAcrossTenants("""
                select l.app_id, l.organization_id, l.signup_limit from app_signup_limit l
                where l.app_id = any (:apps) order by l.app_id, l.organization_id""")
                .bind("apps", apps.toArray(UUID[]::new))
                .list(row -> limits.computeIfAbsent(row.uuid("app_id"), _ -> new HashMap<>())
                        .put(row.uuid("organization_id"), Optional.ofNullable(row.integerOrNull("signup_limit"))));
        return limits;
    }

    static void setLimit(Tx tx, UUID organization, App app, @Nullable Integer limit) {
        tx.sql(View.of(organization), """
                insert into app_signup_limit (organization_id, app_id, signup_limit, managed_by)
                values ({organization}, :app, :limit, :manager)
                on conflict (organization_id, app_id)
                do update set signup_limit = excluded.signup_limit, managed_by = excluded.managed_by""")
                .bind("app", app.id())
                .bind("limit", limit)
                .bind("manager", app.managedBy().wireName())
                .run();
    }

    static void deleteLimit(Tx tx, UUID organization, UUID app) {
        tx.sql(View.of(organization), "delete from app_signup_limit l where {l} and l.app_id = :app")
                .bind("app", app)
                .run();
    }
}
