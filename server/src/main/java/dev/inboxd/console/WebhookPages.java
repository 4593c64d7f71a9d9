package dev.inboxd.console;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.mail.InboxPages;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import java.util.List;
import java.util.Map;

/** Webhooks: whether they work, each attempt, and how to try again. */
final class WebhookPages {
    private static final String WEBHOOKS = "webhooks";
    private static final String WEBHOOK = "webhook_id";
    private static final String DELIVERIES = "deliveries";

    private final WebhookStates states;

    WebhookPages(WebhookStates states) {
        this.states = states;
    }

    void mount(ConsolePages pages) {
        pages.page("/webhooks", this::list)
                .form("/webhooks", Role.OWN, WebhookPages::create)
                .page("/webhooks/{webhook_id}", WebhookPages::webhook)
                .form("/webhooks/{webhook_id}", Role.OWN, WebhookPages::act);
    }

    private Response list(Visit visit) {
        visit.live();
        JsonTree webhooks = visit.read(InboxPages.paged(visit, LocalCall.get(WEBHOOKS)));
        return visit.page(
                WEBHOOKS,
                "webhooks/Webhooks",
                Map.of(WEBHOOKS, webhooks, "states", states.of(visit, webhooks.list(WEBHOOKS))));
    }

    private static Response create(Visit visit) {
        List<String> types = visit.form().all("event_types");
        JsonTree webhook = visit.change(
                LocalCall.post(JsonObject.of("url", visit.form().text("url")).with("event_types", types), WEBHOOKS));
        return visit.to("created", WEBHOOKS, webhook.text(WEBHOOK));
    }

    private static Response webhook(Visit visit) {
        visit.live();
        return page(visit, JsonTree.EMPTY);
    }

    private static Response page(Visit visit, JsonTree test) {
        String id = visit.path(WEBHOOK);
        JsonTree webhook = visit.read(LocalCall.get(WEBHOOKS, id));
        JsonTree deliveries = visit.read(
                InboxPages.paged(visit, LocalCall.get(WEBHOOKS, id, DELIVERIES).with("limit", "10")));
        return visit.page(
                "webhook",
                "webhooks/Webhook",
                Map.of(
                        "webhook", webhook,
                        "deliveries", deliveries,
                        "test", test,
                        "headers", visit.readIfAllowed(LocalCall.get(WEBHOOKS, id, "headers")),
                        "record", record(deliveries.list(DELIVERIES))));
    }

    /** How many of the deliveries were delivered, and how long half of their attempts took at most; empty for none. */
    private static String record(List<JsonTree> deliveries) {
        long delivered = deliveries.stream()
                .filter(delivery -> delivery.text("status").equals("delivered"))
                .count();
        List<Long> times = deliveries.stream()
                .flatMap(delivery -> delivery.list("attempts").stream())
                .map(attempt -> attempt.number("latency_ms"))
                .sorted()
                .toList();
        return times.isEmpty()
                ? ""
                : delivered + " of the " + deliveries.size() + " below were delivered. Median "
                        + times.get(times.size() / 2) + " ms, slowest " + times.getLast() + " ms.";
    }

    private static Response act(Visit visit) {
        String id = visit.path(WEBHOOK);
        PageForm form = visit.form();
        switch (form.text("do")) {
            case "test" -> {
                return page(visit, visit.change(LocalCall.post(new JsonObject(), WEBHOOKS, id, "test")));
            }
            case "enable" -> visit.change(LocalCall.patch(JsonObject.of("enabled", true), WEBHOOKS, id));
            case "disable" -> visit.change(LocalCall.patch(JsonObject.of("enabled", false), WEBHOOKS, id));
            case "rotate" -> visit.change(LocalCall.post(new JsonObject(), WEBHOOKS, id, "secret", "rotate"));
            case "resend" -> {
                visit.change(LocalCall.post(
                        new JsonObject(), WEBHOOKS, id, DELIVERIES, form.text("delivery_id"), "redeliver"));
                return visit.to("queued", WEBHOOKS, id);
            }
            case "replay" -> {
                visit.change(LocalCall.post(JsonObject.of("after", time(form.text("after"))), WEBHOOKS, id, "replay"));
                return visit.to("queued", WEBHOOKS, id);
            }
            case "delete" -> {
                visit.change(LocalCall.delete(WEBHOOKS, id));
                return visit.to("deleted", WEBHOOKS);
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        }
        return visit.to("changed", WEBHOOKS, id);
    }

    /** What a browser's field for a time has, in UTC, as the API takes it. */
    static String time(String local) {
        return local.isEmpty() || local.endsWith("Z") ? local : local.length() == 16 ? local + ":00Z" : local + "Z";
    }
}
