package dev.inboxd.event;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON envelope of an event, the same for webhooks and WebSockets (events.md §4.1). */
public final class EventEnvelope {
    private EventEnvelope() {}

    /**
     * The envelope with the event's own members: compact, in the documented order, so that a receiver that parses and
     * writes it again has the same bytes.
     *
     * @param eventId the public id of the event
     * @param members one JSON object as text, whose members follow those of the envelope; null for none
     * @return UTF-8
     */
    public static byte[] bytes(EventType type, String eventId, @Nullable String members) {
        JsonObject envelope = JsonObject.of("type", "event")
                .with("event_type", type.wireName())
                .with("event_id", eventId);
        if (members != null && MemberOrder.ordered("", Json.stored(members)) instanceof Map<?, ?> own) {
            own.forEach((name, value) -> envelope.with((String) name, value));
        }
        return Json.write(envelope);
    }
}
