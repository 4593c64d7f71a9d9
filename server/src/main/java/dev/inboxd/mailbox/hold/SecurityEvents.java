package dev.inboxd.mailbox.hold;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.message.MessageSecurity;
import java.util.List;

/** The events about verdicts and releases (security.md §5). They have nothing that the message says. */
public final class SecurityEvents {
    private SecurityEvents() {}

    /** Adds the event about the verdict of a new message: completed, or review when the message is held. */
    public static void addVerdict(EventLog.EventBatch events, Message message, MessageSecurity security) {
        boolean isHeld = security.hold() && security.review();
        if (isHeld || !security.hold()) {
            EventType type = isHeld ? EventType.MESSAGE_SECURITY_REVIEW : EventType.MESSAGE_SECURITY_COMPLETED;
            JsonObject members = about(events, message).with("security", security.json());
            events.add(event(type, message, members));
        }
    }

    /** Adds the event about a release, whose stamp is in the override's id. */
    static void addOverride(
            EventLog.EventBatch events, Message message, MessageSecurity.ManualOverride override, Tx.Stamp stamp) {
        JsonObject members = about(events, message).with("manual_override", override.json());
        events.add(event(EventType.MESSAGE_SECURITY_OVERRIDE, message, members), stamp, null);
    }

    private static JsonObject about(EventLog.EventBatch events, Message message) {
        return JsonObject.of("organization_id", events.view().organization())
                .with("inbox_id", message.place().inboxName())
                .with("thread_id", message.place().thread())
                .with("message_id", message.name());
    }

    private static Event event(EventType type, Message message, JsonObject members) {
        return new Event(type, MessageEvents.subject(message), List.of(), Json.text(JsonObject.of("message", members)));
    }
}
