package dev.inboxd.mail.recurrence;

import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The name of a date of a series: its original nominal start, {@code tYYYYMMDDTHHMMSS}, or {@code dYYYYMMDD} of an
 * all-day series. It stays when the date is moved.
 *
 * @param at the nominal start, at midnight when all-day
 */
public record Slot(LocalDateTime at, boolean allDay) {
    /** Reads a slot; null for any other text. */
    public static @Nullable Slot parse(String text) {
        throw new UnsupportedOperationException();
    }

    /** As in ids. */
    @Override
    public String toString() {
        throw new UnsupportedOperationException();
    }
}
