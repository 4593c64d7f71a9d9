package dev.inboxd.event;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.error.Quotation;
import dev.inboxd.base.error.Suggestion;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Parses and checks the event types of a subscription, of webhooks and WebSockets alike (events.md §4.1). */
public final class EventTypes {
    private EventTypes() {}

    /**
     * The types of these names, in their order and each once.
     *
     * @param allowed the types that can be subscribed to here
     * @param faults receives a fault for each other name, whose path is its position
     */
    public static Set<EventType> named(List<String> wires, Predicate<EventType> allowed, Consumer<Fault> faults) {
        Set<EventType> types = new LinkedHashSet<>();
        for (int i = 0; i < wires.size(); i++) {
            EventType type = EventType.ofWire(wires.get(i));
            if (type == null || !allowed.test(type)) {
                faults.accept(fault(i, wires.get(i), allowed));
            } else {
                types.add(type);
            }
        }
        return types;
    }

    private static Fault fault(int item, String wire, Predicate<EventType> allowed) {
        List<String> words = Stream.of(EventType.values())
                .filter(allowed)
                .map(EventType::wireName)
                .toList();
        String question = Suggestion.question(wire, words);
        String remedy = question.isEmpty() ? "; there are " + String.join(", ", words) : question;
        String message = Quotation.of(wire) + " is not an event type that can be subscribed to here" + remedy;
        return new Fault(List.of(item), message).as(Fault.Code.INVALID_VALUE, "one of " + String.join(", ", words));
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
