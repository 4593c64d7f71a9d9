package dev.inboxd.calendar.content;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mail.recurrence.Slot;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an {@code event_id} names: a single event or a series, or with a slot one date of a series.
 *
 * @param slot null for the event itself
 */
public record DatedId(UUID event, @Nullable Slot slot) {
    private static final int UUID_LENGTH = 36;

    /**
     * Reads an id.
     *
     * @throws Problem {@code not_found} for any other text
     */
    public static DatedId parse(String text) {
        boolean isDated = text.length() > UUID_LENGTH && text.charAt(UUID_LENGTH) == '_';
        UUID event = Uuid7.parse(isDated ? text.substring(0, UUID_LENGTH) : text);
        Slot slot = isDated ? Slot.parse(text.substring(UUID_LENGTH + 1)) : null;
        if (event == null || (isDated && slot == null)) {
            throw missing();
        }
        return new DatedId(event, slot);
    }

    public static Problem missing() {
        return Problem.notFound("Calendar event");
    }
}
