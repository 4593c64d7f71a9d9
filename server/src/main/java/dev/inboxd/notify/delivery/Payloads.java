package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.event.EventEnvelope;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.payload.ReceivedPayloads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renders the payloads of events from their rows (events.md §4).
 *
 * @param received renders the payloads of received messages
 */
public record Payloads(ReceivedPayloads received) {
    /**
     * The row of an event.
     *
     * @param type null for an event type that this release does not know, raised by a newer node
     * @param message the id of the message that the event is about, or null
     * @param details the event's own members as JSON text, or null
     */
    public record EventRow(
            Tx.Stamp stamp,
            @Nullable EventType type,
            @Nullable UUID message,
            @Nullable String details) {
        /** The columns {@code seq}, {@code at}, {@code type}, {@code message_id} and {@code details} of a row. */
        public static EventRow read(Row row) {
            return new EventRow(
                    new Tx.Stamp(row.longer("seq"), row.instant("at")),
                    EventType.ofWire(row.text("type")),
                    row.uuidOrNull("message_id"),
                    row.textOrNull("details"));
        }

        public String id(UUID organization) {
            return EventId.of(organization, stamp);
        }

        private ReceivedPayloads.@Nullable ReceivedEvent arrival() {
            return type != null && type.isReceived() && message != null
                    ? new ReceivedPayloads.ReceivedEvent(message, type, stamp)
                    : null;
        }
    }

    /**
     * The payloads of events for deliveries: the same bytes at any time and on any node.
     *
     * @return renderers by the event's sequence number; none for an event whose message was deleted
     */
    Map<Long, Supplier<byte[]>> posted(UUID organization, List<EventRow> events) {
        Map<Long, Supplier<byte[]>> payloads = new HashMap<>();
        List<ReceivedPayloads.ReceivedEvent> arrivals = new ArrayList<>();
        for (EventRow event : events) {
            ReceivedPayloads.ReceivedEvent arrival = event.arrival();
            if (arrival != null) {
                arrivals.add(arrival);
            } else if (event.type != null) {
                payloads.put(
                        event.stamp.number(), () -> own(organization, event).orElseThrow());
            }
        }
        if (!arrivals.isEmpty()) {
            payloads.putAll(received.asRaised(organization, arrivals));
        }
        return payloads;
    }

    /** The payload of an event for the first consumer that fetches it; it is then stored for all others. */
    public Optional<byte[]> fetched(UUID organization, EventRow event) {
        ReceivedPayloads.ReceivedEvent arrival = event.arrival();
        return arrival == null ? own(organization, event) : received.asShown(View.of(organization), arrival);
    }

    /** An event of an unknown type has no payload. */
    private static Optional<byte[]> own(UUID organization, EventRow event) {
        return event.type == null
                ? Optional.empty()
                : Optional.of(EventEnvelope.bytes(event.type, event.id(organization), event.details));
    }
}
