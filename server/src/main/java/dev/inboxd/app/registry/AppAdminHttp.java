package dev.inboxd.app.registry;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.http.AdminToken;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;

/** The registration of apps over HTTP, on the admin port alone. Only routes: the rules are in {@link OperatorApps}. */
public final class AppAdminHttp {
    private static final String ALL = "/admin/v0/apps";
    private static final String APP = ALL + "/{app_id}";

    private final OperatorApps apps;

    /** Routes to these apps. */
    public AppAdminHttp(OperatorApps apps) {
        this.apps = apps;
    }

    /**
     * Mounts the routes.
     *
     * @param token opens each of them
     */
    public void mount(Routes root, AdminToken token) {
        root.get(Gate.PUBLIC, ALL, token.before(this::list));
        root.post(Gate.PUBLIC, ALL, token.before(this::create));
        root.get(Gate.PUBLIC, APP, token.before(request -> Response.ok(apps.show(name(request)))));
        root.patch(Gate.PUBLIC, APP, token.before(request -> Response.ok(apps.change(name(request), request.body()))));
        root.delete(Gate.PUBLIC, APP, token.before(this::delete));
        root.post(Gate.PUBLIC, APP + "/secrets", token.before(this::addSecret));
        root.delete(Gate.PUBLIC, APP + "/secrets/{secret_id}", token.before(this::deleteSecret));
        root.put(Gate.PUBLIC, APP + "/organizations/{organization_id}/signup-limit", token.before(this::setLimit));
    }

    private Response list(Request request) {
        PageRequest page = request.page(PageLimit.list(100), false);
        Slice<JsonObject> slice = apps.list(page);
        return Response.ok(page.listing("apps", slice, app -> app).with("providers", slice.items()));
    }

    private Response create(Request request) {
        return secret(apps.create(request.body()));
    }

    private Response delete(Request request) {
        boolean force = request.query().flag("force", false);
        request.query().check();
        apps.delete(name(request), force);
        return Response.ok();
    }

    private Response addSecret(Request request) {
        return secret(apps.addSecret(name(request)));
    }

    /** What holds a secret is kept by nobody in between. */
    private static Response secret(JsonObject json) {
        return Response.ok(json).header("Cache-Control", "no-store");
    }

    private Response deleteSecret(Request request) {
        apps.deleteSecret(name(request), request.path("secret_id"));
        return Response.ok();
    }

    private Response setLimit(Request request) {
        JsonBody body = request.body();
        Long limit = body.integer("limit", 0, Integer.MAX_VALUE);
        if (!body.has("limit")) {
            body.fault("limit", "limit is required; null means any number");
        }
        for (String name : body.names()) {
            if (!name.equals("limit")) {
                body.fault(name, "The body may have limit alone");
            }
        }
        body.check();
        return Response.ok(
                apps.setLimit(name(request), request.path("organization_id"), limit == null ? null : limit.intValue()));
    }

    private static String name(Request request) {
        return request.path("app_id");
    }
}
