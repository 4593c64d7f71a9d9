package dev.inboxd.app.account;

import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.page.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of accounts. */
final class AccountSql {
    private static final String SELECT = """
            select c.organization_id, c.account_id, c.app_id, c.pod_id, c.inbox_id, i.address, a.name as app_name,
                c.first_signed_in_at, c.last_signed_in_at, c.sign_in_count, c.disabled_at
            from account c
            join inbox i on i.organization_id = c.organization_id and i.inbox_id = c.inbox_id
            join app a on a.app_id = c.app_id
            where {c}""";
    private static final KeysetList LIST = KeysetList.byTimeAndId("c.last_signed_in_at", "c.account_id");

    private AccountSql() {}

    static Optional<Account> find(Tx tx, View view, UUID id) {
        return tx.sql(view, SELECT + " and c.account_id = :id").bind("id", id).first(AccountSql::read);
    }

    static Optional<Account> at(Tx tx, View inbox, UUID app) {
        return tx.sql(inbox, SELECT + " and c.app_id = :app").bind("app", app).first(AccountSql::read);
    }

    /** @param app only those at this app; null for all */
    static List<Account> list(Tx tx, View view, @Nullable UUID app, PageRequest page) {
        return LIST.page(tx, view, SELECT + (app == null ? "" : " and c.app_id = :app"), page)
                .bind("app", app)
                .list(AccountSql::read);
    }

    static int count(Tx tx, View view, UUID app) {
        return tx.sql(view, "select count(*) as n from account c where {c} and c.app_id = :app")
                .bind("app", app)
                .single(row -> row.integer("n"));
    }

    /** Inserts an account; false when the inbox is gone. */
    static boolean insert(Tx tx, View inbox, UUID app, Instant now) {
        return tx.sql(inbox, """
                insert into account (organization_id, account_id, app_id, pod_id, inbox_id, first_signed_in_at,
                                     last_signed_in_at, sign_in_count)
                select i.organization_id, :id, :app, i.pod_id, i.inbox_id, :now, :now, 1 from inbox i
                where {i} and not i.deleting""")
                        .bind("id", Uuid7.next())
                        .bind("app", app)
                        .bind("now", now)
                        .run()
                > 0;
    }

    static void signedIn(Tx tx, View view, UUID id, Instant now) {
        tx.sql(view, """
                update account c set last_signed_in_at = :now, sign_in_count = c.sign_in_count + 1
                where {c} and c.account_id = :id""").bind("id", id).bind("now", now).run();
    }

    /** Disabling again keeps the first time. */
    static void disable(Tx tx, View view, UUID id, Instant now) {
        tx.sql(view, """
                update account c set disabled_at = coalesce(c.disabled_at, :now)
                where {c} and c.account_id = :id""").bind("id", id).bind("now", now).run();
    }

    static void enable(Tx tx, View view, UUID id) {
        tx.sql(view, "update account c set disabled_at = null where {c} and c.account_id = :id")
                .bind("id", id)
                .run();
    }

    /** Deletes all accounts of an inbox, and returns the apps that they were at. */
    static List<UUID> deleteAll(Tx tx, View inbox) {
        return tx.sql(inbox, "delete from account c where {c} returning c.app_id")
                .list(row -> row.uuid("app_id"));
    }

    static void deleteConsents(Tx tx, View inbox) {
        tx.sql(inbox, "delete from oidc_consent c where {c}").run();
    }

    static void deleteSignInKeys(Tx tx, View inbox) {
        tx.sql(inbox, "delete from sign_in_key k where {k}").run();
    }

    private static Account read(Row row) {
        return new Account(
                row.uuid("organization_id"),
                row.uuid("account_id"),
                row.uuid("app_id"),
                row.uuid("pod_id"),
                row.uuid("inbox_id"),
                row.text("address"),
                row.text("app_name"),
                row.instant("first_signed_in_at"),
                row.instant("last_signed_in_at"),
                row.longer("sign_in_count"),
                row.instantOrNull("disabled_at"));
    }
}
