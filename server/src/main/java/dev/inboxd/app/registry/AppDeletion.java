package dev.inboxd.app.registry;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Deletes an app with all that was kept for it. What organizations have goes organization by organization, so the app
 * is disabled first: nothing is added to it from then on, and a deletion that was interrupted can be repeated.
 */
final class AppDeletion {
    /** What organizations keep of an app, beside its accounts. */
    private static final List<String> OF_ORGANIZATIONS = List.of("oidc_consent", "app_signup_limit");

    private static final List<String> GLOBAL = List.of("oidc_token", "oidc_code", "app_secret", "app_slug");

    private final Database database;

    AppDeletion(Database database) {
        this.database = database;
    }

    /** @throws Problem {@code cannot_delete} for an app with accounts, unless they are to go with it */
    void delete(UUID id, boolean force, Instant now) {
        database.runGlobal(tx -> {
            RegistrationSql.lock(tx);
            App app = OperatorApps.changeable(tx, id);
            // The row is locked, so that no sign-in makes an account between the look and the change.
            long accounts = tx.sql("select a.accounts from app a where a.app_id = :id for update")
                    .bind("id", id)
                    .single(row -> row.longer("accounts"));
            if (accounts > 0 && !force) {
                throw Problem.of(
                        ErrorCode.CANNOT_DELETE,
                        "The app has " + accounts + " accounts",
                        "Disable it instead, or delete it by force, which deletes its accounts.");
            }
            RegistrationSql.update(tx, app.enabled(false).updatedAt(now));
        });
        organizations(id).forEach(organization -> deleteOf(organization, id));
        database.runGlobal(tx -> {
            RegistrationSql.lock(tx);
            GLOBAL.forEach(table -> tx.sql("delete from " + table + " d where d.app_id = :id")
                    .bind("id", id)
                    .run());
            tx.sql("delete from app a where a.app_id = :id").bind("id", id).run();
        });
    }

    private List<UUID> organizations(UUID app) {
        String query = """
                select c.organization_id from account c where c.app_id = :id
                union select d.organization_id from oidc_consent d where d.app_id = :id
                union select l.organization_id from app_signup_limit l where l.app_id = :id""";
        return database.read(tx -> tx.sqlAcrossTenants(query).bind("id", app).list(row -> row.uuid("organization_id")));
    }

    private void deleteOf(UUID organization, UUID app) {
        database.run(organization, tx -> {
            View all = View.of(organization);
            int accounts = tx.sql(all, "delete from account c where {c} and c.app_id = :id")
                    .bind("id", app)
                    .run();
            OF_ORGANIZATIONS.forEach(table -> tx.sql(all, "delete from " + table + " d where {d} and d.app_id = :id")
                    .bind("id", app)
                    .run());
            uncount(tx, app, accounts);
        });
    }

    private static void uncount(Tx tx, UUID app, int accounts) {
        tx.sql("update app a set accounts = a.accounts - :n where a.app_id = :id")
                .bind("n", accounts)
                .bind("id", app)
                .run();
    }
}
