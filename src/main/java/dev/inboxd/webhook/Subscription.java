package dev.inboxd.webhook;

import dev.inboxd.access.Caller;
import dev.inboxd.access.Permission;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.event.EventType;
import dev.inboxd.json.JsonBody;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The event types that a subscriber asks for, and whether it may (contract: events.md §4.1). */
final class Subscription {
    private static final String MEMBER = "event_types";
    private static final int MOST_TYPES = 100;

    private Subscription() {}

    /** The member {@code event_types} of a new webhook: required, and without the security types. */
    static List<EventType> created(JsonBody body) {
        return types(body, body.strings(MEMBER).most(MOST_TYPES).required(), EventType::isCreatable);
    }

    /** The member {@code event_types} of an update, or null when it is absent. It replaces, so it is not empty. */
    static @Nullable List<EventType> updated(JsonBody body) {
        if (!body.has(MEMBER) || body.isNull(MEMBER)) {
            return null;
        }
        return types(body, body.strings(MEMBER).most(MOST_TYPES).required(), EventType::isSubscribable);
    }

    private static List<EventType> types(JsonBody body, List<String> wires, Predicate<EventType> allowed) {
        Set<EventType> types = new LinkedHashSet<>();
        for (String wire : wires) {
            EventType type = EventType.ofWire(wire);
            if (type == null || !allowed.test(type)) {
                body.fault(MEMBER, wire + " is not an event type that can be subscribed to here");
            } else {
                types.add(type);
            }
        }
        return List.copyOf(types);
    }

    /**
     * Subscribing to what a label hides needs the flag that shows it.
     *
     * @throws Problem {@code missing_permission} in its older form, which names the flag
     */
    static void require(Caller caller, Collection<EventType> types) {
        for (EventType type : types) {
            Permission flag = type.subscriber();
            if (flag != null && !caller.holds(flag)) {
                throw Problem.of(Code.MISSING_PERMISSION, flag.wire() + " is forbidden",
                        "Use a key that holds " + flag.wire() + ".");
            }
        }
    }

    /** The refusal of more pods and inboxes together than one webhook takes (spec, "Scope of delivery"). */
    static Problem tooManyTargets() {
        return Problem.of(Code.LIMIT_EXCEEDED, "A webhook listens to at most " + NewWebhook.MOST_TARGETS
                + " pods and inboxes together", "Name fewer, or make a second webhook.");
    }
}
