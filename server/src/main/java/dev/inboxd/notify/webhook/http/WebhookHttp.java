package dev.inboxd.notify.webhook.http;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.event.EventType;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.notify.webhook.HeaderChange;
import dev.inboxd.notify.webhook.NewWebhook;
import dev.inboxd.notify.webhook.WebhookChange;
import dev.inboxd.notify.webhook.registry.DeliveryLog;
import dev.inboxd.notify.webhook.registry.EventReplay;
import dev.inboxd.notify.webhook.registry.TestDelivery;
import dev.inboxd.notify.webhook.registry.WebhookChanges;
import dev.inboxd.notify.webhook.registry.Webhooks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;

/** HTTP routes of webhooks. No rule is decided here. */
public final class WebhookHttp {
    private static final PageLimit LIMIT = PageLimit.list(100);

    private final Parts parts;

    /**
     * The services behind the routes.
     *
     * @param http checks the URLs of webhooks
     * @param clock the default end of a replay
     */
    public record Parts(
            Webhooks webhooks,
            WebhookChanges changes,
            DeliveryLog log,
            EventReplay replays,
            TestDelivery trials,
            SafeHttp http,
            InstantSource clock) {}

    /** The routes, not yet mounted. */
    public WebhookHttp(Parts parts) {
        this.parts = parts;
    }

    /** Mounts the routes; the level's view is the owner of a webhook created there. */
    public void mount(Routes level) {
        level.get(Permission.WEBHOOK_READ, "/webhooks", this::list);
        level.post(Permission.WEBHOOK_CREATE, "/webhooks", this::create);
        level.get(Permission.WEBHOOK_READ, "/webhooks/{webhook_id}", this::get);
        level.patch(Permission.WEBHOOK_UPDATE, "/webhooks/{webhook_id}", this::update);
        level.delete(Permission.WEBHOOK_DELETE, "/webhooks/{webhook_id}", this::delete);
        level.get(Permission.WEBHOOK_READ, "/webhooks/{webhook_id}/headers", this::headers);
        level.patch(Permission.WEBHOOK_UPDATE, "/webhooks/{webhook_id}/headers", this::changeHeaders);
        level.post(Permission.WEBHOOK_UPDATE, "/webhooks/{webhook_id}/secret/rotate", this::rotate);
        level.get(Permission.WEBHOOK_READ, "/webhooks/{webhook_id}/deliveries", this::deliveries);
        level.post(
                Permission.WEBHOOK_UPDATE,
                "/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
                this::redeliver);
        level.post(Permission.WEBHOOK_UPDATE, "/webhooks/{webhook_id}/replay", this::replay);
        level.post(Permission.WEBHOOK_UPDATE, "/webhooks/{webhook_id}/test", this::test);
    }

    private Response list(Request request) {
        PageRequest page = request.page(LIMIT);
        return Response.ok(page.listing(
                "webhooks", parts.webhooks.list(request.view(), page), webhook -> webhook.json(request.caller())));
    }

    private Response create(Request request) {
        NewWebhook newWebhook = NewWebhook.read(request.body(), request.view(), parts.http);
        return Response.ok(request.change()
                .of(parts.webhooks.create(request.caller(), request.view(), newWebhook))
                .json(request.caller()));
    }

    private Response get(Request request) {
        return Response.ok(parts.webhooks.get(request.view(), id(request)).json(request.caller()));
    }

    private Response update(Request request) {
        WebhookChange change = WebhookChange.read(request.body());
        return Response.ok(request.change()
                .of(parts.changes.update(request.caller(), request.view(), id(request), change))
                .json(request.caller()));
    }

    private Response delete(Request request) {
        parts.webhooks.delete(request.view(), id(request));
        return Response.ok();
    }

    private Response headers(Request request) {
        return Response.ok(JsonObject.of("header_names", parts.changes.headerNames(request.view(), id(request))));
    }

    private Response changeHeaders(Request request) {
        parts.changes.changeHeaders(request.caller(), request.view(), id(request), HeaderChange.read(request.body()));
        return Response.ok().status(204);
    }

    private Response rotate(Request request) {
        return Response.ok(parts.changes
                .rotate(request.view(), id(request), RotationKey.of(request))
                .json(request.caller()));
    }

    private Response deliveries(Request request) {
        PageRequest page = request.page(LIMIT);
        return Response.ok(
                page.listing("deliveries", parts.log.list(request.view(), id(request), page), DeliveryLog.Entry::json));
    }

    private Response redeliver(Request request) {
        return Response.ok(parts.log
                .redeliver(request.view(), id(request), request.path("delivery_id"))
                .json());
    }

    private Response replay(Request request) {
        JsonBody body = request.body();
        Instant after = body.instant("after");
        Instant before = body.instant("before");
        Instant now = parts.clock.instant();
        Instant end = before == null || before.isAfter(now) ? now : before;
        if (!body.has("after") || body.isNull("after")) {
            body.fault("after", "after is required: the time from which on to deliver again");
        } else if (after != null && !after.isBefore(end)) {
            body.fault("after", "after must be earlier than before, and in the past");
        }
        body.check();
        Instant start = after == null ? end : after;
        parts.replays.replay(request.caller(), request.view(), id(request), new EventReplay.Period(start, end));
        return Response.ok(
                JsonObject.of("webhook_id", id(request)).with("after", start).with("before", end));
    }

    private Response test(Request request) {
        EventType type = request.body()
                .choice(
                        "event_type",
                        Stream.of(EventType.values())
                                .filter(EventType::isSubscribable)
                                .toArray(EventType[]::new),
                        EventType::wireName);
        request.body().check();
        return Response.ok(parts.trials.run(request.view(), id(request), type));
    }

    private static String id(Request request) {
        return request.path("webhook_id");
    }
}
