package dev.inboxd.console;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.Visit;
import dev.inboxd.notify.webhook.registry.RecentDeliveries;
import java.util.List;
import java.util.Map;

/** Whether webhooks work, in words. */
final class WebhookStates {
    private final Database database;

    WebhookStates(Database database) {
        this.database = database;
    }

    /**
     * The state of each webhook of a list of the API, by one statement: words that end with {@code failed} where
     * the last deliveries were not taken, and {@code disabled}.
     */
    List<String> of(Visit visit, List<JsonTree> webhooks) {
        List<String> ids =
                webhooks.stream().map(webhook -> webhook.text("webhook_id")).toList();
        if (ids.isEmpty()) {
            return List.of();
        }
        View all = View.of(visit.caller().organization());
        Map<String, RecentDeliveries> recent = database.read(tx -> RecentDeliveries.of(tx, all, ids));
        return webhooks.stream()
                .map(webhook -> webhook.is("enabled")
                        ? words(recent.getOrDefault(webhook.text("webhook_id"), new RecentDeliveries(0, 0)))
                        : "disabled")
                .toList();
    }

    private static String words(RecentDeliveries recent) {
        return recent.all() == 0
                ? "no deliveries yet"
                : recent.failing() == 0 ? "working" : recent.failing() + " of the last " + recent.all() + " failed";
    }
}
