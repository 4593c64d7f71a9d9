package dev.inboxd.webhook;

import dev.inboxd.database.View;
import dev.inboxd.error.Problem;
import dev.inboxd.event.EventType;
import dev.inboxd.json.ClientIds;
import dev.inboxd.json.JsonBody;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.TargetCheck;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks of a new webhook (contract: events.md §1.3).
 *
 * @param podIds as given, not yet looked up
 * @param inboxIds as given, not yet looked up
 */
record NewWebhook(String url, List<EventType> eventTypes, @Nullable String clientId, CustomHeaders headers,
        List<String> podIds, List<String> inboxIds) {
    /** Targets of one webhook, pods and inboxes together (spec, "Scope of delivery"). */
    static final int MOST_TARGETS = 10;

    private static final int MOST_TYPES = 100;

    /**
     * Reads a request's body.
     *
     * @param owner the route's view: what its path names is not given again in the body
     * @param http knows which URLs can be used
     * @throws Problem {@code validation_error} with everything that is wrong
     */
    static NewWebhook read(JsonBody body, View owner, SafeHttp http) {
        String url = body.string("url").min(1).required();
        if (!url.isEmpty() && http.check(url) instanceof TargetCheck.Refused(var _, String message)) {
            body.fault("url", message);
        }
        List<EventType> types = types(body);
        String clientId = ClientIds.read(body);
        CustomHeaders headers = CustomHeaders.read(body);
        List<String> pods = targets(body, "pod_ids", owner.pod() == null && owner.inbox() == null);
        List<String> inboxes = targets(body, "inbox_ids", owner.inbox() == null);
        body.check();
        return new NewWebhook(url, types, clientId, headers, pods, inboxes);
    }

    private static List<EventType> types(JsonBody body) {
        Set<EventType> types = new LinkedHashSet<>();
        for (String wire : body.strings("event_types").most(MOST_TYPES).required()) {
            EventType type = EventType.ofWire(wire);
            if (type == null || !type.isCreatable()) {
                body.fault("event_types", wire + " is not an event type that a new webhook can subscribe to");
            } else {
                types.add(type);
            }
        }
        return List.copyOf(types);
    }

    private static List<String> targets(JsonBody body, String name, boolean settable) {
        if (!settable && body.has(name)) {
            body.fault(name, name + " is not given here: the scope comes from the path or the key");
        }
        return List.copyOf(new LinkedHashSet<>(body.strings(name).most(MOST_TARGETS).list()));
    }
}
