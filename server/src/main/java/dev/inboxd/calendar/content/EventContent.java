package dev.inboxd.calendar.content;

import dev.inboxd.base.json.ExactJson;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What somebody can say of an event.
 *
 * @param time when it takes place, of a series its first date
 * @param recurrence null for a single event and for a date of a series
 */
public record EventContent(
        EventWords words,
        EventStatus status,
        EventTime time,
        @Nullable EventRecurrence recurrence,
        Guests guests) {

    public EventContent with(EventStatus newStatus) {
        return new EventContent(words, newStatus, time, recurrence, guests);
    }

    public EventContent with(EventTime newTime) {
        return new EventContent(words, status, newTime, recurrence, guests);
    }

    public EventContent with(@Nullable EventRecurrence newRecurrence) {
        return new EventContent(words, status, time, newRecurrence, guests);
    }

    public EventContent with(Guests newGuests) {
        return new EventContent(words, status, time, recurrence, newGuests);
    }

    public boolean isCancelled() {
        return status == EventStatus.CANCELLED;
    }

    public boolean isSeries() {
        return recurrence != null;
    }

    /** The word for a mode in JSON. */
    public static String mode(EventTime time) {
        return time.mode().name().toLowerCase(Locale.ROOT);
    }

    /** As in the row. */
    public JsonObject stored() {
        return JsonObject.of("title", words.title())
                .with("description", words.description())
                .with("location", words.location())
                .with("metadata", words.metadata() == null ? null : new ExactJson(words.metadata()))
                .with("status", status.wireName())
                .with("all_day", time.allDay())
                .with("start", WallTime.format(time.start(), time.allDay()))
                .with("end", WallTime.format(time.end(), time.allDay()))
                .with("timezone", time.zone().getId())
                .with("duration_mode", mode(time))
                .with("recurrence", recurrence == null ? null : recurrence.json(time.allDay()))
                .with("attendees", guests.list().stream().map(Attendee::stored).toList())
                .with("attendee_count", guests.count())
                .with(
                        "response_status",
                        guests.own() == null ? null : guests.own().wireName());
    }

    public static EventContent stored(Map<?, ?> row) {
        return new EventContent(
                new EventWords(
                        (String) Objects.requireNonNull(row.get("title")),
                        (String) row.get("description"),
                        (String) row.get("location"),
                        row.get("metadata")),
                EventStatus.ofWire((String) Objects.requireNonNull(row.get("status"))),
                new EventTime(
                        Boolean.TRUE.equals(row.get("all_day")),
                        WallTime.stored(Objects.requireNonNull(row.get("start"))),
                        WallTime.stored(Objects.requireNonNull(row.get("end"))),
                        ZoneId.of((String) Objects.requireNonNull(row.get("timezone"))),
                        mode((String) Objects.requireNonNull(row.get("duration_mode")))),
                row.get("recurrence") instanceof Map<?, ?> recurrence ? EventRecurrence.stored(recurrence) : null,
                Guests.stored(row));
    }

    public static DurationMode mode(String word) {
        return DurationMode.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
