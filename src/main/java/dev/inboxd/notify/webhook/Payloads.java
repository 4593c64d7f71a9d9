package dev.inboxd.notify.webhook;

import dev.inboxd.event.EventEnvelope;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.message.ReceivedPayloads;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What webhooks are told of an event (events.md §4), read from the rows.
 *
 * @param received renders what arrived
 */
public record Payloads(ReceivedPayloads received) {
    /**
     * What the row of an event says.
     *
     * @param type null for one that this release does not know, such as a newer node raises
     * @param message the message it is about, or null
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
     * The payloads of events for deliveries: the same bytes whenever, and on whichever node, they are read.
     *
     * @return by the event's number, what makes the bytes; nothing for an event of which nothing can be told any more
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

    /** The payload of an event for who fetches it first; it is kept for all others. */
    public Optional<byte[]> fetched(UUID organization, EventRow event) {
        ReceivedPayloads.ReceivedEvent arrival = event.arrival();
        return arrival == null ? own(organization, event) : received.asShown(View.of(organization), arrival);
    }

    /** Of an event of an unknown type nothing can be told. */
    private static Optional<byte[]> own(UUID organization, EventRow event) {
        return event.type == null
                ? Optional.empty()
                : Optional.of(EventEnvelope.bytes(event.type, event.id(organization), event.details));
    }
}
