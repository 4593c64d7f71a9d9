package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.label.Labels;
import java.util.List;

/** Events about messages: what they are about, and those about the fate of a sent one (events.md §4). */
public final class MessageEvents {
    private MessageEvents() {}

    /**
     * The object of a payload that tells what happened.
     *
     * @param name such as {@code bounce}
     * @param members those that this type of event alone has
     */
    public record Detail(String name, JsonObject members) {}

    /**
     * Adds an event with the members that all of these events have.
     *
     * @return the sequence number and the time of the event
     */
    public static Tx.Stamp add(EventLog.EventBatch events, EventType type, Message message, Detail detail) {
        Tx.Stamp stamp = events.next();
        JsonObject object = JsonObject.of("inbox_id", message.place().inboxName())
                .with("thread_id", message.place().thread())
                .with("message_id", message.name())
                .with("timestamp", stamp.at())
                .withAll(detail.members)
                .with("organization_id", events.view().organization())
                .with("pod_id", message.place().pod());
        return events.add(
                new Event(type, subject(message), List.of(), Json.text(JsonObject.of(detail.name, object))),
                stamp,
                null);
    }

    /** The subject of an event about this message. */
    public static Event.Subject subject(Message message) {
        return new Event.Subject(
                message.place().pod(),
                message.place().inbox(),
                message.place().thread(),
                message.id(),
                message.name(),
                message.restricted());
    }

    /** Exactly one type for a received message: blocked before spam before unauthenticated (events.md §4.1). */
    public static EventType receivedType(List<String> labels) {
        if (labels.contains(Labels.BLOCKED)) {
            return EventType.MESSAGE_RECEIVED_BLOCKED;
        }
        if (labels.contains("spam")) {
            return EventType.MESSAGE_RECEIVED_SPAM;
        }
        return labels.contains(Labels.UNAUTHENTICATED)
                ? EventType.MESSAGE_RECEIVED_UNAUTHENTICATED
                : EventType.MESSAGE_RECEIVED;
    }
}
