package dev.inboxd.webhook;

import dev.inboxd.database.Row;
import dev.inboxd.event.EventType;
import dev.inboxd.json.Json;
import dev.inboxd.json.JsonObject;
import dev.inboxd.message.ReceivedPayloads;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What subscribers are told of an event (contract: events.md §4), read from the rows.
 *
 * @param received renders what arrived
 */
public record Payloads(ReceivedPayloads received) {
    /**
     * What the row of an event says.
     *
     * @param message the message it is about, or null
     * @param details the event's own members as JSON text, or null
     */
    record Told(EventType type, @Nullable UUID message, @Nullable String details) {
        /** The columns {@code type}, {@code message_id} and {@code details} of a row. */
        static Told read(Row row) {
            return new Told(Objects.requireNonNull(EventType.ofWire(row.text("type"))), row.uuidOrNull("message_id"),
                    row.textOrNull("details"));
        }
    }

    /**
     * The payload of an event.
     *
     * @param id the event's public id
     * @return null when it tells of a message that was deleted meanwhile
     */
    byte @Nullable [] read(UUID organization, Told event, String id) {
        if (event.type.isReceived() && event.message != null) {
            return received.read(organization, event.message, event.type, id).orElse(null);
        }
        return withMembers(event.type, id, event.details);
    }

    /** The envelope with the event's own members, which are one JSON object as text, put into it. */
    static byte[] withMembers(EventType type, String id, @Nullable String members) {
        String envelope = Json.text(JsonObject.of("type", "event").with("event_type", type.wire()).with("event_id", id));
        String inner = members == null ? "" : members.strip();
        String whole = inner.length() < 2 || inner.substring(1, inner.length() - 1).isBlank() ? envelope
                : envelope.substring(0, envelope.length() - 1) + "," + inner.substring(1);
        return whole.getBytes(StandardCharsets.UTF_8);
    }
}
