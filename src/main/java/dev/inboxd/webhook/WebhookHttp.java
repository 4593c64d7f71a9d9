package dev.inboxd.webhook;

import dev.inboxd.access.Permission;
import dev.inboxd.http.Request;
import dev.inboxd.http.Response;
import dev.inboxd.http.Routes;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.page.Page;
import dev.inboxd.page.PageLimit;

/** Webhooks over HTTP. No rule lives here. */
public final class WebhookHttp {
    private final Webhooks webhooks;
    private final SafeHttp http;

    /** Routes to these webhooks, whose URLs that client will post to. */
    public WebhookHttp(Webhooks webhooks, SafeHttp http) {
        this.webhooks = webhooks;
        this.http = http;
    }

    /** Mounts the routes; the level's view names the owner of what is made there. */
    public void mount(Routes level) {
        level.get(Permission.WEBHOOK_READ, "/webhooks", this::list);
        level.post(Permission.WEBHOOK_CREATE, "/webhooks", this::create);
        level.get(Permission.WEBHOOK_READ, "/webhooks/{webhook_id}", this::get);
        level.delete(Permission.WEBHOOK_DELETE, "/webhooks/{webhook_id}", this::delete);
    }

    private Response list(Request request) {
        Page page = request.page(PageLimit.list(100));
        return Response.ok(page.listing("webhooks", webhooks.list(request.view(), page), Webhook::json));
    }

    private Response create(Request request) {
        NewWebhook wanted = NewWebhook.read(request.body(), request.view(), http);
        return Response.ok(webhooks.create(request.caller(), request.view(), wanted).json());
    }

    private Response get(Request request) {
        return Response.ok(webhooks.get(request.view(), request.path("webhook_id")).json());
    }

    private Response delete(Request request) {
        webhooks.delete(request.view(), request.path("webhook_id"));
        return Response.ok();
    }
}
