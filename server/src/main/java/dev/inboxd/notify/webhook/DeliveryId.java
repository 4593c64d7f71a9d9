package dev.inboxd.notify.webhook;

import dev.inboxd.base.id.Base62;
import dev.inboxd.base.id.Digests;
import dev.inboxd.event.EventId;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The id of a delivery, {@code svix-id}. It is the same for every attempt and for all webhooks of one owner, and
 * differs between owners (events.md §2.1). It is derived from the event's id and the owner, so it leads back to the
 * event and is not stored. It has no dot, because a dot separates the id from the other parts of the signed text.
 */
public final class DeliveryId {
    private static final String PREFIX = "msg_";
    private static final int OWNER_WIDTH = 5;

    private DeliveryId() {}

    /** The id of an event's deliveries to one owner. */
    public static String of(String eventId, UUID owner) {
        int place = eventId.indexOf('_') + 1;
        return PREFIX
                + eventId.substring(place)
                + Base62.of(Arrays.copyOf(Digests.sha256(eventId + owner), OWNER_WIDTH));
    }

    /**
     * The sequence number of the event that an id names, or null when the id belongs to another owner. The id of the
     * event itself is accepted too.
     *
     * @param id as the caller gave it
     */
    public static @Nullable Long event(UUID organization, UUID owner, String id) {
        if (!id.startsWith(PREFIX)) {
            return EventId.number(organization, id);
        }
        int end = id.length() - OWNER_WIDTH;
        String eventId = end < PREFIX.length() ? "" : "evt_" + id.substring(PREFIX.length(), end);
        Long number = EventId.number(organization, eventId);
        return number != null && of(eventId, owner).equals(id) ? number : null;
    }
}
