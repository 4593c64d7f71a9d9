package dev.inboxd.calendar.event;

import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.calendar.content.EntityTag;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarEventJson;
import dev.inboxd.calendar.series.SeriesDate;

/**
 * What a request gave.
 *
 * @param event the event or date as it is now
 * @param operation the id of the change; empty for a read
 * @param isRepeat whether an earlier request had made the change
 */
record EventResult(JsonObject event, EntityTag tag, String operation, boolean isRepeat) {
    static EventResult of(CalendarEvent event, String operation) {
        return new EventResult(
                CalendarEventJson.of(event, CalendarEventJson.Form.ANSWER), event.tag(), operation, false);
    }

    static EventResult of(SeriesDate date, String operation) {
        return new EventResult(CalendarEventJson.of(date, CalendarEventJson.Form.ANSWER), date.tag(), operation, false);
    }

    EventResult repeated() {
        return new EventResult(event, tag, operation, true);
    }

    /** The event itself. */
    Response read() {
        return Response.ok(event).header("ETag", tag.text());
    }

    /** The event and the change. */
    Response mutation(int status) {
        return Response.of(status, JsonObject.of("event", event).with("operation_id", operation))
                .header("ETag", tag.text());
    }
}
