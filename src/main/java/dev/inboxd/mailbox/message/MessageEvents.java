package dev.inboxd.mailbox.message;

import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.json.Json;
import dev.inboxd.platform.json.JsonObject;
import java.util.List;

/** Events about the fate of a sent message (events.md §4.3). */
public final class MessageEvents {
    private MessageEvents() {}

    /**
     * Adds an event with the members that all of these events have.
     *
     * @param member the name of the object in the payload, such as {@code bounce}
     * @param more the further members of this type of event
     * @return the sequence number and the time of the event
     */
    public static Tx.Stamp add(
            EventLog.EventBatch events, EventType type, Message message, String member, JsonObject more) {
        Tx.Stamp stamp = events.next();
        JsonObject object = JsonObject.of("inbox_id", message.place().inboxName())
                .with("thread_id", message.place().thread())
                .with("message_id", message.name())
                .with("timestamp", stamp.at())
                .withAll(more)
                .with("organization_id", events.view().organization())
                .with("pod_id", message.place().pod());
        return events.add(
                new Event(type, Messages.subject(message), List.of(), Json.text(JsonObject.of(member, object))),
                stamp,
                null);
    }
}
