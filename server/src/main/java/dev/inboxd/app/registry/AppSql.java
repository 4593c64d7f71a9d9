package dev.inboxd.app.registry;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    private static final String ORDER = " order by a.accounts desc, a.name collate \"C\", a.app_id limit :limit";
    private static final String BEHIND = "(a.accounts < :accounts or a.accounts = :accounts"
            + " and (a.name collate \"C\", a.app_id) > (:name, :id))";

    private AppSql() {}

    /** The app with that id, enabled or not. */
    public static Optional<App> find(Tx tx, UUID id) {
        return tx.sql(SELECT + " where a.app_id = :id").bind("id", id).first(AppSql::read);
    }

    /** The ids of two of the listed and enabled apps whose slug is this one when its hyphens are left out. */
    static List<UUID> ofFoldedSlug(Tx tx, String folded) {
        String query = """
                select a.app_id from app a
                where replace(a.slug, '-', '') = :folded and a.listed and a.enabled limit 2""";
        return tx.sql(query).bind("folded", folded).list(row -> row.uuid("app_id"));
    }

    /** The listed and enabled apps behind a place, those with the most accounts first. */
    static List<App> listed(Tx tx, @Nullable String category, PageRequest page) {
        Cursor after = page.after();
        String sql = SELECT + " where a.listed and a.enabled"
                + (category == null ? "" : " and :category = any (a.categories)")
                + (after == null ? "" : " and " + BEHIND)
                + ORDER;
        return placed(tx.sql(sql), page).bind("category", category).list(AppSql::read);
    }

    /** All apps behind a place, in the same order. */
    static List<App> all(Tx tx, PageRequest page) {
        String sql = SELECT + (page.after() == null ? "" : " where " + BEHIND) + ORDER;
        return placed(tx.sql(sql), page).list(AppSql::read);
    }

    /** Listed and enabled apps whose names begin so. */
    static List<App> search(Tx tx, String prefix, int most) {
        return tx.sql(SELECT + " where a.listed and a.enabled and starts_with(a.search_name, :prefix)" + ORDER)
                .bind("prefix", prefix)
                .bind("limit", most)
                .list(AppSql::read);
    }

    private static Statement placed(Statement statement, PageRequest page) {
        Cursor after = page.after();
        return statement
                .bind("limit", page.fetch())
                .bind("accounts", after == null ? null : after.number(0))
                .bind("name", after == null ? null : after.text(1))
                .bind("id", after == null ? null : after.uuid(2));
    }

    /** The place of an app in lists. */
    static Cursor place(App app) {
        return Cursor.of(app.accounts(), app.listing().name(), app.id());
    }

    /**
     * Counts accounts of an enabled app.
     *
     * @return false when the app is gone or disabled, and has no new account
     */
    public static boolean addAccount(Tx tx, UUID app) {
        return tx.sql("update app a set accounts = a.accounts + 1 where a.app_id = :id and a.enabled")
                        .bind("id", app)
                        .run()
                > 0;
    }

    /** Counts that each of these apps has one account less. */
    public static void removeAccounts(Tx tx, List<UUID> apps) {
        UUID[] ids = apps.toArray(UUID[]::new);
        // Two transactions lock the rows of several apps in the same order.
        tx.sql("select a.app_id from app a where a.app_id = any (:ids) order by a.app_id for update")
                .bind("ids", ids)
                .list(row -> row.uuid("app_id"));
        tx.sql("update app a set accounts = a.accounts - 1 where a.app_id = any (:ids)")
                .bind("ids", ids)
                .run();
    }

    /** The operator's limits for an organization at some apps; apps without one are not in it. */
    static Map<UUID, Optional<Integer>> signupLimits(Tx tx, UUID organization, List<App> apps) {
        Map<UUID, Optional<Integer>> limits = new HashMap<>();
        tx.sql(
                        View.of(organization),
                        "select l.app_id, l.signup_limit from app_signup_limit l where {l} and l.app_id = any (:apps)")
                .bind("apps", apps.stream().map(App::id).toArray(UUID[]::new))
                .list(row -> limits.put(row.uuid("app_id"), Optional.ofNullable(row.integerOrNull("signup_limit"))));
        return limits;
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
