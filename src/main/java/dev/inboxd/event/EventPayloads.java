package dev.inboxd.event;

import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import java.util.Collection;
import java.util.UUID;

/** Payloads that delivery rows keep for their retries. What is stored twice must die twice (architecture §8.7). */
public final class EventPayloads {
    private EventPayloads() {}

    /**
     * Adds the removal of what is kept of messages to the round trip that deletes them. Rows that keep nothing yet need
     * no removal: whoever would deliver them finds the message gone.
     */
    public static void dropWith(RoundTrip trip, View view, Collection<UUID> messages) {
        trip.change(view, """
                delete from delivery d using event e
                where {d} and e.organization_id = d.organization_id and e.seq = d.seq
                  and d.payload is not null and d.message_id = any (:messages) and e.type like 'message.received%'""",
                "messages", messages.toArray(UUID[]::new));
    }
}
