package dev.inboxd.app.account;

import dev.inboxd.app.registry.AppHttp;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import java.util.Objects;
import java.util.UUID;

/** Accounts over HTTP. Only routes: the rules are in {@link Accounts}. */
public final class AccountHttp {
    private static final PageLimit LIMIT = PageLimit.list(100);

    private final Accounts accounts;

    /** Routes to these accounts. */
    public AccountHttp(Accounts accounts) {
        this.accounts = accounts;
    }

    /** Mounts the routes that read, for an organization, a pod or an inbox. */
    public void mount(Routes level) {
        level.get(Permission.INBOX_READ, "/accounts", this::list);
        level.get(Permission.INBOX_READ, "/accounts/{account_id}", this::get);
    }

    /** Mounts the routes that exist for the organization alone. */
    public void mountOrganization(Routes organization) {
        for (AppHttp.PathName name : AppHttp.PathName.values()) {
            organization.get(
                    Permission.INBOX_READ, name.appPath() + "/accounts", request -> ofApp(request, name.of(request)));
        }
        organization.patch(Permission.ACCOUNT_UPDATE, "/accounts/{account_id}", this::update);
        organization.patch(Permission.ACCOUNT_UPDATE, "/accounts/{account_id}/update", this::update);
    }

    private Response list(Request request) {
        PageRequest page = request.page(LIMIT);
        return Response.ok(page.listing("accounts", accounts.list(request.view(), page), Account::json));
    }

    private Response ofApp(Request request, String app) {
        PageRequest page = request.page(LIMIT, false);
        Accounts.OfApp listed = accounts.ofApp(request.view(), app, page);
        return Response.ok(page.listing("accounts", listed.accounts(), Account::json)
                .with("app", listed.app())
                .with("provider", listed.app()));
    }

    private Response get(Request request) {
        return Response.ok(accounts.get(request.view(), id(request)).json());
    }

    private Response update(Request request) {
        JsonBody body = request.body();
        Account.Status status = body.choice("status", Account.Status.values(), Account.Status::wireName);
        if (status == null && (!body.has("status") || body.isNull("status"))) {
            body.fault("status", "status is missing; it must be one of enabled, disabled");
        }
        for (String name : body.names()) {
            if (!name.equals("status")) {
                body.fault(name, "The body may have status alone");
            }
        }
        body.check();
        return Response.ok(accounts.change(request.view(), id(request), Objects.requireNonNull(status))
                .json());
    }

    private static UUID id(Request request) {
        UUID id = Uuid7.parse(request.path("account_id"));
        if (id == null) {
            throw Problem.notFound("Account");
        }
        return id;
    }
}
