package dev.inboxd.notify.webhook;

import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.ClientIds;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.event.EventType;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetCheck;
import dev.inboxd.tenant.inbox.TargetIds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to create a webhook (events.md §1.3).
 *
 * @param targets the pods and inboxes it subscribes to
 */
public record NewWebhook(
        String url,
        List<EventType> eventTypes,
        @Nullable String clientId,
        CustomHeaders headers,
        RequestedTargets targets) {
    /** Limit of pods and inboxes of one webhook together (events.md §1.3). */
    public static final int MOST_TARGETS = 10;

    /**
     * Reads a request's body.
     *
     * @param owner the route's view: a pod or inbox in the path must not be repeated in the body
     * @param http checks whether deliveries can be posted to the URL
     * @throws Problem {@code validation_error} with all faults
     */
    public static NewWebhook read(JsonBody body, View owner, SafeHttp http) {
        String url = WebhookUrl.normal(body.string("url").min(1).required());
        if (WebhookUrl.isBroken(url)) {
            body.fault("url", "url must have no white space");
        } else if (!url.isEmpty() && http.check(url) instanceof TargetCheck.Invalid(var _, String message)) {
            body.fault("url", message);
        }
        List<EventType> types = Subscription.created(body);
        String clientId = ClientIds.read(body);
        CustomHeaders headers = CustomHeaders.read(body);
        RequestedTargets targets = RequestedTargets.read(body, owner);
        body.check();
        return new NewWebhook(url, types, clientId, headers, targets);
    }

    /**
     * Pods and inboxes to subscribe to.
     *
     * @param podIds as given, not yet looked up
     * @param inboxIds as given, not yet looked up
     */
    public record RequestedTargets(List<String> podIds, List<String> inboxIds) {
        public RequestedTargets {
            podIds = List.copyOf(podIds);
            inboxIds = List.copyOf(inboxIds);
        }

        /** Reads the members {@code pod_ids} and {@code inbox_ids}; an id in the path must not be repeated. */
        public static RequestedTargets read(JsonBody body, View owner) {
            return new RequestedTargets(
                    ids(body, "pod_ids", owner.pod() == null && owner.inbox() == null),
                    ids(body, "inbox_ids", owner.inbox() == null));
        }
    }

    private static List<String> ids(JsonBody body, String name, boolean settable) {
        if (!settable && body.has(name)) {
            body.fault(name, name + " is not given here: the scope comes from the path or the key");
        }
        return List.copyOf(TargetIds.read(body, name, MOST_TARGETS));
    }
}
