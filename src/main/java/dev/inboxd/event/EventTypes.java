package dev.inboxd.event;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Parses and checks the event types of a subscription, of webhooks and WebSockets alike (events.md §4.1). */
public final class EventTypes {
    private EventTypes() {}

    /**
     * The types of these names, in their order and each once.
     *
     * @param allowed the types that can be subscribed to here
     * @param fault receives a sentence for each other name
     */
    public static Set<EventType> named(List<String> wires, Predicate<EventType> allowed, Consumer<String> fault) {
        Set<EventType> types = new LinkedHashSet<>();
        for (String wire : wires) {
            EventType type = EventType.ofWire(wire);
            if (type == null || !allowed.test(type)) {
                fault.accept(wire + " is not an event type that can be subscribed to here");
            } else {
                types.add(type);
            }
        }
        return types;
    }

    /**
     * Subscribing to events that a restricted label hides requires the flag that permits reading it.
     *
     * @throws Problem {@code missing_permission} in its older form, which names the flag
     */
    public static void require(Caller caller, Collection<EventType> types) {
        for (EventType type : types) {
            Permission flag = type.subscriber();
            if (flag != null && !caller.holds(flag)) {
                throw Problem.of(
                        ErrorCode.MISSING_PERMISSION,
                        flag.wireName() + " is forbidden",
                        "Use a key that holds " + flag.wireName() + ".");
            }
        }
    }
}
