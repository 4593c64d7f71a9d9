package dev.inboxd.mailbox.message;

import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.json.Json;
import dev.inboxd.platform.json.JsonObject;
import java.util.List;

/** The events about verdicts and releases (security.md §5). They have nothing that the message says. */
final class SecurityEvents {
    private SecurityEvents() {}

    /** Adds the event about the verdict of a new message: completed, or review when the message is held. */
    static void addVerdict(EventLog.EventBatch events, Message message, MessageSecurity security) {
        boolean isHeld = security.hold() && security.review();
        if (isHeld || !security.hold()) {
            EventType type = isHeld ? EventType.MESSAGE_SECURITY_REVIEW : EventType.MESSAGE_SECURITY_COMPLETED;
            add(events, type, message, JsonObject.of("security", security.json()), events.next());
        }
    }

    /** Adds the event about a release, whose stamp is in the override's id. */
    static void addOverride(
            EventLog.EventBatch events, Message message, MessageSecurity.ManualOverride override, Tx.Stamp stamp) {
        JsonObject member = JsonObject.of("manual_override", override.json());
        add(events, EventType.MESSAGE_SECURITY_OVERRIDE, message, member, stamp);
    }

    private static void add(
            EventLog.EventBatch events, EventType type, Message message, JsonObject member, Tx.Stamp stamp) {
        JsonObject about = JsonObject.of("organization_id", events.view().organization())
                .with("inbox_id", message.place().inboxName())
                .with("thread_id", message.place().thread())
                .with("message_id", message.name())
                .withAll(member);
        events.add(
                new Event(type, Messages.subject(message), List.of(), Json.text(JsonObject.of("message", about))),
                stamp,
                null);
    }
}
