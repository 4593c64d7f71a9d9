package dev.inboxd.calendar.series;

import dev.inboxd.base.json.ExactJson;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.AttendeeStatus;
import dev.inboxd.calendar.content.EntityTag;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventKind;
import dev.inboxd.calendar.content.EventWords;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.content.WallTime;
import dev.inboxd.mail.recurrence.EventTime;
import org.jspecify.annotations.Nullable;

/** Events in the form of answers, lists and payloads (calendar.md §2). */
public final class CalendarEventJson {
    private CalendarEventJson() {}

    /** How much of an event is shown. */
    public enum Form {
        /** The answer of a get or a change. */
        ANSWER,
        /** A row of the list of events, and what the log's events hold. */
        FULL,
        /** An item of agenda and instances. */
        ITEM,
        /** What a start or an end is told with: whole, without the revision. */
        BOUNDARY
    }

    /** A single event or a series. */
    public static JsonObject of(CalendarEvent event, Form form) {
        JsonObject json =
                JsonObject.of("event_id", event.id()).with("kind", event.kind().wireName());
        content(json, event.content(), form != Form.ITEM);
        guests(json, event.content().guests(), form != Form.ITEM, event.origin());
        mail(json, event, event.version().sequence());
        if (form == Form.ANSWER || form == Form.FULL) {
            json.with("resource_revision", event.version().revision());
        }
        json.with("created_at", event.version().createdAt())
                .with("updated_at", event.version().updatedAt());
        return behind(json, event, form == Form.ANSWER ? event.tag() : null);
    }

    /** A date of a series. */
    public static JsonObject of(SeriesDate date, Form form) {
        boolean allDay = date.original().allDay();
        JsonObject json = JsonObject.of("event_id", date.id())
                .with("kind", EventKind.INSTANCE.wireName())
                .with("series_id", date.series().id())
                .with("original_start", WallTime.format(date.slot().at(), allDay))
                .with("original_start_at", date.original().startAt())
                .with("is_exception", date.place().edited());
        content(json, date.content(), form != Form.ITEM);
        boolean named = form != Form.ITEM && !date.place().removed();
        guests(json, date.content().guests(), named, date.series().origin());
        mail(json, date.series(), date.sequence());
        json.with("created_at", date.series().version().createdAt()).with("updated_at", date.updatedAt());
        return behind(json, date.series(), form == Form.ANSWER ? date.tag() : null);
    }

    private static void content(JsonObject json, EventContent content, boolean isWhole) {
        EventWords words = content.words();
        EventTime time = content.time();
        json.with("title", words.title())
                .with("description", isWhole ? words.description() : null)
                .with("location", words.location())
                .with("metadata", isWhole && words.metadata() != null ? new ExactJson(words.metadata()) : null)
                .with("status", content.status().wireName())
                .with("all_day", time.allDay())
                .with("start", WallTime.format(time.shownStart(), time.allDay()))
                .with("end", WallTime.format(time.shownEnd(), time.allDay()))
                .with("timezone", time.zone().getId())
                .with("duration_mode", EventContent.mode(time))
                .with("duration_value", time.durationValue())
                .with("start_at", time.startAt())
                .with("end_at", time.endAt())
                .with(
                        "recurrence",
                        content.recurrence() == null
                                ? null
                                : content.recurrence().json(time.allDay()));
    }

    /** The answer of the inbox is shown where somebody else waits for it. */
    private static void guests(JsonObject json, Guests guests, boolean named, CalendarEvent.Origin origin) {
        AttendeeStatus own = origin.isOurs() || origin.message() == null ? null : guests.own();
        json.with(
                        "attendees",
                        named && !guests.list().isEmpty()
                                ? guests.list().stream().map(Attendee::json).toList()
                                : null)
                .with("attendee_count", guests.count())
                .with("response_status", own == null ? null : own.wireName());
    }

    private static void mail(JsonObject json, CalendarEvent event, int sequence) {
        CalendarEvent.Origin origin = event.origin();
        json.with("uid", origin.uid())
                .with("sequence", sequence)
                .with("source", origin.source().wireName())
                .with("organizer_email", origin.organizer())
                .with("answers_to", answersTo(origin))
                .with("origin_message_id", origin.message());
    }

    /** Where an answer goes when that is not who organizes the event; else null. */
    private static @Nullable String answersTo(CalendarEvent.Origin origin) {
        String address = origin.answersTo();
        return address == null || address.equalsIgnoreCase(origin.organizer()) ? null : address;
    }

    private static JsonObject behind(JsonObject json, CalendarEvent event, @Nullable EntityTag tag) {
        return json.with("etag", tag == null ? null : tag.text())
                .with("organization_id", event.place().organization())
                .with("pod_id", event.place().pod());
    }
}
