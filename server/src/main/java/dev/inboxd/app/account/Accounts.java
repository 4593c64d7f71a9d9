package dev.inboxd.app.account;

import dev.inboxd.app.registry.App;
import dev.inboxd.app.registry.AppSql;
import dev.inboxd.app.registry.Apps;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations on accounts: inboxes that signed in at apps. */
public final class Accounts {
    private static final String EXISTING = " Inboxes that have an account there still sign in.";

    private final Database database;

    /** The accounts of a database. */
    public Accounts(Database database) {
        this.database = database;
    }

    /** The inbox that signs in. */
    public record Holder(UUID organization, UUID inbox) {
        private View view() {
            return View.of(organization).inbox(inbox);
        }
    }

    /**
     * Refuses a sign-in that could not succeed now. What {@link #signIn} finds at the end decides.
     *
     * @throws Problem {@code forbidden} when the account is disabled; {@code limit_exceeded} when the inbox has none
     *     and its organization may have no more there
     */
    public static void requireSignIn(Tx tx, App app, Holder holder) {
        Optional<Account> account = AccountSql.at(tx, holder.view(), app.id());
        if (account.isEmpty()) {
            requireRoom(tx, app, holder);
        } else {
            requireEnabled(account.get());
        }
    }

    /** Whether no account of the inbox there is disabled. A limit is another matter. */
    public static boolean isOpen(Tx tx, App app, Holder holder) {
        return AccountSql.at(tx, holder.view(), app.id())
                .map(Account::isEnabled)
                .orElse(true);
    }

    /**
     * Signs an inbox in: its first time makes the account. The transaction is a write of the organization, whose clock
     * makes the count of its accounts exact.
     *
     * @throws Problem as {@link #requireSignIn}, and {@code not_found} when the app or the inbox is gone
     */
    public static Account signIn(Tx tx, App app, Holder holder, Instant now) {
        View inbox = holder.view();
        Optional<Account> before = AccountSql.at(tx, inbox, app.id());
        if (before.isPresent()) {
            requireEnabled(before.get());
            AccountSql.signedIn(tx, inbox, before.get().id(), now);
        } else {
            requireRoom(tx, app, holder);
            if (!AccountSql.insert(tx, inbox, app.id(), now)) {
                throw Problem.notFound("Inbox");
            }
            if (!AppSql.addAccount(tx, app.id())) {
                throw Problem.notFound("App");
            }
        }
        return AccountSql.at(tx, inbox, app.id()).orElseThrow();
    }

    private static void requireEnabled(Account account) {
        if (!account.isEnabled()) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "The account of " + account.inboxName() + " at " + account.appName() + " is disabled",
                    "Enable it: PATCH /v0/accounts/" + account.id() + " with {\"status\":\"enabled\"}, using a key"
                            + " that holds account_update.");
        }
    }

    private static void requireRoom(Tx tx, App app, Holder holder) {
        Integer limit = AppSql.signupLimit(tx, holder.organization, app);
        if (limit == null) {
            return;
        }
        if (limit == 0) {
            throw limit(
                    "New sign-ups at " + app.listing().name() + " are paused",
                    "New sign-ups are paused there: ask the operator, or wait.");
        }
        if (AccountSql.count(tx, View.of(holder.organization), app.id()) >= limit) {
            throw limit(
                    "The organization has its " + limit + " accounts at "
                            + app.listing().name() + " already",
                    "The limit is " + limit + " for each organization; ask the operator for more.");
        }
    }

    private static Problem limit(String message, String fix) {
        return Problem.of(ErrorCode.LIMIT_EXCEEDED, message, fix + EXISTING).with(Problem.NAME, "AppSignupLimitError");
    }

    /** Ends what an inbox has at apps, in the transaction that deletes the inbox. */
    public static void inboxDeleted(Tx tx, UUID organization, UUID inbox) {
        View view = View.of(organization).inbox(inbox);
        List<UUID> apps = AccountSql.deleteAll(tx, view);
        if (!apps.isEmpty()) {
            AppSql.removeAccounts(tx, apps);
        }
        AccountSql.deleteConsents(tx, view);
        AccountSql.deleteSignInKeys(tx, view);
    }

    /** A page of the accounts that the view shows, those that signed in last first. */
    Slice<Account> list(View view, PageRequest page) {
        return database.read(tx -> list(tx, view, null, page));
    }

    /**
     * A page of accounts at one app.
     *
     * @param app what the caller reads of it; null when there is nothing to read
     */
    record OfApp(Slice<Account> accounts, @Nullable JsonObject app) {}

    /**
     * The accounts at an app that the view shows. They stay when the app is disabled.
     *
     * @throws Problem {@code not_found} for a slug of no app, {@code validation_error} for what is neither an id nor
     *     a slug
     */
    OfApp ofApp(View view, String name, PageRequest page) {
        return database.read(tx -> {
            Optional<App> app = Apps.named(tx, name);
            UUID id = app.map(App::id).orElseGet(() -> requireId(name));
            JsonObject json = app.filter(App::isEnabled)
                    .map(enabledApp -> enabledApp.json(AppSql.signupLimit(tx, view.organization(), enabledApp)))
                    .orElse(null);
            return new OfApp(list(tx, view, id, page), json);
        });
    }

    private static UUID requireId(String name) {
        UUID id = Uuid7.parse(name);
        if (id != null) {
            return id;
        }
        throw Apps.isSlug(name)
                ? Problem.notFound("App")
                : Problem.invalid("app_id", "The app in the path must be the id of an app or its slug");
    }

    private static Slice<Account> list(Tx tx, View view, @Nullable UUID app, PageRequest page) {
        return page.slice(
                AccountSql.list(tx, view, app, page), account -> Cursor.of(account.lastSignedInAt(), account.id()));
    }

    /**
     * One account.
     *
     * @throws Problem {@code not_found}
     */
    Account get(View view, UUID id) {
        return database.read(tx -> find(tx, view, id));
    }

    /** Disables an account, or enables it. What is so already stays as it is. */
    Account change(View view, UUID id, Account.Status status) {
        return database.write(view.organization(), tx -> {
            find(tx, view, id);
            switch (status) {
                case ENABLED -> AccountSql.enable(tx, view, id);
                case DISABLED -> AccountSql.disable(tx, view, id, tx.next().at());
            }
            return find(tx, view, id);
        });
    }

    private static Account find(Tx tx, View view, UUID id) {
        return AccountSql.find(tx, view, id).orElseThrow(() -> Problem.notFound("Account"));
    }
}
