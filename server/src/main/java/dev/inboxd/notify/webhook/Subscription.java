package dev.inboxd.notify.webhook;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.event.EventType;
import dev.inboxd.event.EventTypes;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the event types that a webhook subscribes to (events.md §1.3, §1.4). */
public final class Subscription {
    private static final String MEMBER = "event_types";
    private static final int MOST_TYPES = 100;

    private Subscription() {}

    /** The member {@code event_types} of a new webhook: required, and without the security types. */
    public static List<EventType> created(JsonBody body) {
        return types(body, body.strings(MEMBER).most(MOST_TYPES).required(), EventType::isCreatable);
    }

    /** The same of a new polling webhook, which has no events about approvals either. */
    public static List<EventType> polled(JsonBody body) {
        return types(body, body.strings(MEMBER).most(MOST_TYPES).required(), EventType::isPollable);
    }

    /**
     * The member {@code event_types} of an update, or null when it is absent. It replaces the list, so it is not empty.
     */
    static @Nullable List<EventType> updated(JsonBody body) {
        if (!body.has(MEMBER) || body.isNull(MEMBER)) {
            return null;
        }
        return types(body, body.strings(MEMBER).most(MOST_TYPES).required(), EventType::isSubscribable);
    }

    private static List<EventType> types(JsonBody body, List<String> wires, Predicate<EventType> allowed) {
        return List.copyOf(EventTypes.named(wires, allowed, wrong -> body.faultOfItem(MEMBER, wrong)));
    }

    /** The error for more pods and inboxes together than one webhook may have (events.md §1.3). */
    public static Problem tooManyTargets() {
        return Problem.limit(
                "targets",
                NewWebhook.MOST_TARGETS,
                "A webhook listens to at most " + NewWebhook.MOST_TARGETS + " pods and inboxes together",
                "Name fewer, or make a second webhook.");
    }
}
