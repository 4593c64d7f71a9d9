package dev.inboxd.notify.stream;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventType;
import dev.inboxd.event.EventTypes;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.tenant.inbox.TargetIds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The {@code subscribe} frame, the only frame that clients send (events.md §5.2).
 *
 * @param inboxes ids as the client sent them; empty when absent
 * @param pods ids as the client sent them; empty when absent
 * @param types null when absent
 * @param cursor the last event_id seen, or null to receive only later events
 */
record SubscribeFrame(
        List<String> inboxes,
        List<String> pods,
        @Nullable Set<EventType> types,
        @Nullable String cursor) {
    private static final int MOST_TARGETS = 10;
    private static final int LONGEST_ID = 400;
    private static final int MOST_TYPES = 100;

    SubscribeFrame {
        inboxes = List.copyOf(inboxes);
        pods = List.copyOf(pods);
    }

    /**
     * Reads a frame.
     *
     * @throws Problem {@code validation_error}, or {@code limit_exceeded} for too many targets
     */
    static SubscribeFrame read(byte[] text) {
        JsonBody body = JsonBody.read(text, new Faults());
        if (!"subscribe".equals(body.string("type").required())) {
            body.fault("type", "type must be \"subscribe\"");
        }
        List<String> inboxes = List.copyOf(
                TargetIds.of(body.strings("inbox_ids").max(LONGEST_ID).list()));
        List<String> pods =
                List.copyOf(TargetIds.of(body.strings("pod_ids").max(LONGEST_ID).list()));
        List<String> wires = body.strings("event_types").most(MOST_TYPES).list();
        Set<EventType> types =
                EventTypes.named(wires, EventType::isSubscribable, wrong -> body.faultOfItem("event_types", wrong));
        String cursor = body.string("cursor").max(LONGEST_ID).optional();
        body.check();
        if (inboxes.size() + pods.size() > MOST_TARGETS) {
            throw Problem.limit(
                    "targets",
                    MOST_TARGETS,
                    "A subscribe names at most " + MOST_TARGETS + " pods and inboxes together",
                    "Send another subscribe for the others; it adds to this one.");
        }
        return new SubscribeFrame(inboxes, pods, wires.isEmpty() ? null : types, cursor);
    }

    /**
     * The filter of this frame, with ids looked up.
     *
     * @throws Problem {@code missing_permission}; {@code not_found} for pods and inboxes that the caller does not see
     */
    SubscriptionFilter filter(Tx tx, Caller caller) {
        Set<EventType> eventTypes = types == null ? SubscriptionFilter.usual() : types;
        EventTypes.require(caller, eventTypes);
        Map<UUID, Set<EventType>> typesById = new HashMap<>();
        for (String inbox : inboxes) {
            typesById.put(inbox(tx, caller, inbox), eventTypes);
        }
        for (String pod : pods) {
            typesById.put(pod(tx, caller, pod), eventTypes);
        }
        return typesById.isEmpty()
                ? SubscriptionFilter.of(caller.organization(), eventTypes)
                : new SubscriptionFilter(typesById);
    }

    private static UUID pod(Tx tx, Caller caller, String id) {
        // identity.md §5.4: an inbox credential is closed out even from its own pod.
        return (caller.scope() == Scope.INBOX
                        ? Optional.<UUID>empty()
                        : InboxScopeResolver.findPod(tx, caller.view(), id))
                .orElseThrow(() -> Problem.notFound("Pod"));
    }

    static UUID inbox(Tx tx, Caller caller, String id) {
        return InboxScopeResolver.find(tx, caller.view(), id)
                .orElseThrow(() -> Problem.notFound("Inbox"))
                .id();
    }

    /** The answer to the client: the filters of this frame, without absent ones. */
    JsonObject subscribed() {
        return JsonObject.of("type", "subscribed")
                .with("inbox_ids", inboxes.isEmpty() ? null : inboxes)
                .with("pod_ids", pods.isEmpty() ? null : pods)
                .with(
                        "event_types",
                        types == null
                                ? null
                                : types.stream().map(EventType::wireName).toList());
    }
}
