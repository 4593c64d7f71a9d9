package dev.inboxd.app.registry;

import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of apps, of their secrets and of their limits. */
public final class AppSql {
    private static final String SELECT = """
            select a.app_id, a.slug, a.name, a.description, a.logo_url, a.terms_url, a.privacy_url, a.categories,
                a.listed, a.enabled, a.redirect_uris, a.initiate_login_uri, a.scopes, a.client_auth_method,
                a.id_token_alg, a.require_pkce, a.signup_limit, a.managed_by, a.accounts, a.created_at, a.updated_at
            from app a""";

    private AppSql() {}

    /** The app with that id, enabled or not. */
    public static Optional<App> find(Tx tx, UUID id) {
        return tx.sql(SELECT + " where a.app_id = :id").bind("id", id).first(AppSql::read);
    }

    /** The id of the app with that slug. */
    public static Optional<UUID> ofSlug(Tx tx, String slug) {
        return tx.sql("select s.app_id from app_slug s where s.slug = :slug")
                .bind("slug", slug)
                .first(row -> row.uuid("app_id"));
    }

    /** The digests of the secrets that an app may authenticate with. */
    public static List<byte[]> secrets(Tx tx, UUID app) {
        return tx.sql("select s.hash from app_secret s where s.app_id = :app")
                .bind("app", app)
                .list(row -> row.bytes("hash"));
    }

    /**
     * How many accounts an organization may have at an app.
     *
     * @return null for any number
     */
    public static @Nullable Integer signupLimit(Tx tx, UUID organization, App app) {
        record Own(@Nullable Integer limit) {}
        return tx.sql(
                        View.of(organization),
                        "select l.signup_limit from app_signup_limit l where {l} and l.app_id = :app")
                .bind("app", app.id())
                .first(row -> new Own(row.integerOrNull("signup_limit")))
                .orElse(new Own(app.signupLimit()))
                .limit();
    }

    static App read(Row row) {
        return new App(
                row.uuid("app_id"),
                row.textOrNull("slug"),
                new App.Listing(
                        row.text("name"),
                        row.textOrNull("description"),
                        row.textOrNull("logo_url"),
                        row.textOrNull("terms_url"),
                        row.textOrNull("privacy_url"),
                        row.texts("categories"),
                        row.flag("listed")),
                new App.Client(
                        row.texts("redirect_uris"),
                        row.textOrNull("initiate_login_uri"),
                        Set.copyOf(row.texts("scopes")),
                        App.ClientAuthMethod.valueOf(
                                row.text("client_auth_method").toUpperCase(Locale.ROOT)),
                        App.IdTokenAlg.valueOf(row.text("id_token_alg")),
                        row.flag("require_pkce")),
                row.flag("enabled"),
                row.integerOrNull("signup_limit"),
                App.ManagedBy.valueOf(row.text("managed_by").toUpperCase(Locale.ROOT)),
                row.longer("accounts"),
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
