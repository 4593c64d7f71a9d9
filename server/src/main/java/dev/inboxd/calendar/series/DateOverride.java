package dev.inboxd.calendar.series;

import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An edit of a date.
 *
 * @param future whether the dates that follow have it as well
 * @param pinned whether the date ran as it is here, whatever its series makes
 */
public record DateOverride(Slot slot, boolean future, DateFields fields, boolean pinned, Version version) {
    /**
     * Its version.
     *
     * @param sequence SEQUENCE, once the date was sent or taken in by itself; else null
     * @param stamp DTSTAMP of the last change that came by mail, or null
     * @param operation the id of the log's event of the last change
     */
    public record Version(
            @Nullable Integer sequence,
            @Nullable Instant stamp,
            String operation,
            Instant createdAt,
            Instant updatedAt) {
        public static Version first(String operation, Instant now) {
            return new Version(null, null, operation, now, now);
        }

        public Version changed(@Nullable Integer newSequence, String by, Instant now) {
            return new Version(newSequence, stamp, by, createdAt, now);
        }
    }

    /** Whether it says by itself when its date takes place. */
    boolean hasTime() {
        return pinned || fields.hasTime();
    }
}
