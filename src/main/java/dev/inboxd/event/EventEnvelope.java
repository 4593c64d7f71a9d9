package dev.inboxd.event;

import dev.inboxd.platform.json.Json;
import dev.inboxd.platform.json.JsonObject;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The JSON envelope of an event, the same for webhooks and WebSockets (events.md §4.1). */
public final class EventEnvelope {
    private EventEnvelope() {}

    /**
     * The envelope with the event's own members.
     *
     * @param eventId the public id of the event
     * @param members one JSON object as text, whose members follow those of the envelope; null for none
     * @return UTF-8
     */
    public static byte[] bytes(EventType type, String eventId, @Nullable String members) {
        String envelope = Json.text(JsonObject.of("type", "event")
                .with("event_type", type.wireName())
                .with("event_id", eventId));
        String own = members == null ? "" : members.strip();
        String whole = own.length() < 2 || own.substring(1, own.length() - 1).isBlank()
                ? envelope
                : envelope.substring(0, envelope.length() - 1) + "," + own.substring(1);
        return whole.getBytes(StandardCharsets.UTF_8);
    }
}
