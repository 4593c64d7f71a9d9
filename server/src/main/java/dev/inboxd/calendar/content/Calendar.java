package dev.inboxd.calendar.content;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.tenant.inbox.Inbox;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The calendar of an inbox.
 *
 * @param revision how often its settings were changed
 * @param events how many single events and series it has
 * @param updatedAt when its settings were changed; null when they never were
 */
public record Calendar(
        ZoneId zone, long revision, int events, @Nullable Instant updatedAt) {
    /** The calendar of an inbox that nobody has used. */
    public static final Calendar UNUSED = new Calendar(ZoneId.of("UTC"), 0, 0, null);

    public EntityTag tag() {
        return EntityTag.ofRevision(revision);
    }

    /** As in answers (calendar.md §2). */
    public JsonObject json(Inbox inbox) {
        return JsonObject.of("inbox_id", inbox.address())
                .with("timezone", zone.getId())
                .with("event_count", events)
                .with("created_at", inbox.createdAt())
                .with("updated_at", updatedAt == null ? inbox.createdAt() : updatedAt)
                .with("etag", tag().text());
    }
}
