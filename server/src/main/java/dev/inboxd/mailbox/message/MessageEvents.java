package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import java.util.List;

/** Events about the fate of a sent message (events.md §4.3). */
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
                new Event(type, Messages.subject(message), List.of(), Json.text(JsonObject.of(detail.name, object))),
                stamp,
                null);
    }
}
