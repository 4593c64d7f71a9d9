package dev.inboxd.calendar.series;

import dev.inboxd.calendar.content.EntityTag;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Instant;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A date of a series as it is read.
 *
 * @param original when the series puts it
 * @param content what it is, with all edits
 * @param place its place in the series
 * @param own the edit of this date alone, or null
 */
public record SeriesDate(
        CalendarEvent series,
        Slot slot,
        EventTime original,
        EventContent content,
        Place place,
        @Nullable DateOverride own) {
    /**
     * The place of a date in its series.
     *
     * @param edited whether it was edited, alone or with those that follow
     * @param removed whether it was taken out
     * @param left whether it ran, and the series does not make it any more
     */
    public record Place(boolean edited, boolean removed, boolean left) {}

    /** The name of this date: {@code <series>_<slot>}. */
    public String id() {
        return series.id() + "_" + slot;
    }

    /** Whether it does not take place. */
    public boolean isCancelled() {
        return place.removed || content.isCancelled();
    }

    public Instant startAt() {
        return content.time().startAt();
    }

    public Instant endAt() {
        return content.time().endAt();
    }

    public LocalDateTime nominalStart() {
        return slot.at();
    }

    /** Its SEQUENCE: its own once it was sent by itself, never below that of the series. */
    public int sequence() {
        int series = this.series.version().sequence();
        Integer alone = own == null ? null : own.version().sequence();
        return alone == null ? series : Math.max(alone, series);
    }

    public Instant updatedAt() {
        Instant series = this.series.version().updatedAt();
        return own == null ? series : own.version().updatedAt();
    }

    public EntityTag tag() {
        return EntityTag.ofDate(series.version());
    }

    /** Whether it takes place in a window, or runs into it. */
    public boolean isIn(Instant after, Instant before, boolean running) {
        Instant start = startAt();
        return start.isBefore(before) && (!start.isBefore(after) || (running && endAt().isAfter(after)));
    }
}
