package dev.inboxd.notify.webhook;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.event.EventType;
import dev.inboxd.tenant.inbox.TargetIds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A requested change of a webhook (events.md §1.4). Null or empty members stay unchanged.
 *
 * @param catchUp whether the events missed while it was disabled are delivered
 */
public record WebhookChange(
        @Nullable List<EventType> eventTypes, @Nullable Boolean enabled, boolean catchUp, Ids pods, Ids inboxes) {

    /**
     * Ids of pods or of inboxes to add and to remove, as given.
     *
     * @param named whether the request had one of the two members
     */
    public record Ids(List<String> added, List<String> removed, boolean named) {
        public Ids {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
        }

        private static Ids read(JsonBody body, String kind) {
            Set<String> added = TargetIds.read(body, "add_" + kind, NewWebhook.MOST_TARGETS);
            Set<String> removed = TargetIds.read(body, "remove_" + kind, NewWebhook.MOST_TARGETS);
            Set<String> both = new LinkedHashSet<>(added);
            both.retainAll(removed);
            both.forEach(id -> body.fault("remove_" + kind, id + " is added and removed"));
            return new Ids(
                    List.copyOf(added), List.copyOf(removed), body.has("add_" + kind) || body.has("remove_" + kind));
        }
    }

    public WebhookChange {
        eventTypes = eventTypes == null ? null : List.copyOf(eventTypes);
    }

    /**
     * Reads a request's body.
     *
     * @throws Problem {@code validation_error} with all faults
     */
    public static WebhookChange read(JsonBody body) {
        List<EventType> types = Subscription.updated(body);
        Boolean enabled = body.flag("enabled");
        boolean catchUp = body.flag("catch_up", false);
        if (catchUp && !Boolean.TRUE.equals(enabled)) {
            body.fault("catch_up", "catch_up goes with \"enabled\": true");
        }
        Ids pods = Ids.read(body, "pod_ids");
        Ids inboxes = Ids.read(body, "inbox_ids");
        body.check();
        return new WebhookChange(types, enabled, catchUp, pods, inboxes);
    }

    /**
     * Rejects members that a webhook of this owner does not have (events.md §1.4, "Levels").
     *
     * @throws Problem {@code validation_error}
     */
    public void requireFor(Webhook.Owner owner) {
        List<Fault> faults = new ArrayList<>();
        if (pods.named && owner.pod() != null) {
            faults.add(Fault.of(
                    pods.added.isEmpty() ? "remove_pod_ids" : "add_pod_ids",
                    "A webhook of a pod or an inbox does not choose pods"));
        }
        if (inboxes.named && owner.inbox() != null) {
            faults.add(Fault.of(
                    inboxes.added.isEmpty() ? "remove_inbox_ids" : "add_inbox_ids",
                    "A webhook of an inbox listens to that inbox alone"));
        }
        if (!faults.isEmpty()) {
            throw Problem.invalid(faults);
        }
    }
}
