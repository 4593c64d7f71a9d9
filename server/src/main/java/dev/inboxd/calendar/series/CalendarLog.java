package dev.inboxd.calendar.series;

import dev.inboxd.base.json.ExactJson;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventWords;
import dev.inboxd.calendar.content.WallTime;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells the log of changes, in their transaction (calendar.md §8). */
public final class CalendarLog {
    private final EventLog log;

    /** The log of an organization's events. */
    public CalendarLog(EventLog log) {
        this.log = log;
    }

    /** Tells of a single event or a series. */
    public void add(CalendarTx change, EventType type, CalendarEvent event, @Nullable JsonObject previous) {
        add(change, type, CalendarEventJson.of(event, CalendarEventJson.Form.FULL), previous);
    }

    /** Tells of a date. */
    public void add(CalendarTx change, EventType type, SeriesDate date) {
        add(change, type, CalendarEventJson.of(date, CalendarEventJson.Form.FULL), null);
    }

    /**
     * Appends the event of a start or an end.
     *
     * @param event as it stands now
     * @param scheduled when it was to be told
     */
    void appendBoundary(CalendarTx change, EventType type, JsonObject event, Instant scheduled) {
        append(change, type, members(change, event).with("scheduled_at", scheduled));
    }

    private void add(CalendarTx change, EventType type, JsonObject event, @Nullable JsonObject previous) {
        append(change, type, members(change, event).with("previous", previous));
    }

    private static JsonObject members(CalendarTx change, JsonObject event) {
        return JsonObject.of("inbox_id", change.inbox().address()).with("calendar_event", event);
    }

    private void append(CalendarTx change, EventType type, JsonObject members) {
        members.with("organization_id", change.view().organization())
                .with("pod_id", change.inbox().pod());
        EventLog.EventBatch batch = log.appending(change.tx(), change.all());
        Event.Subject subject =
                new Event.Subject(change.inbox().pod(), change.inbox().id(), null, null, null, 0);
        batch.add(new Event(type, subject, List.of(), Json.text(members)), change.stamp(), null);
        batch.write();
    }

    /** The old values of what a change changed; one that was empty is absent. */
    public static JsonObject previous(EventContent before, EventContent after) {
        JsonObject old = new JsonObject();
        EventWords words = before.words();
        boolean allDay = before.time().allDay();
        changed(old, "title", words.title(), after.words().title());
        changed(old, "description", words.description(), after.words().description());
        changed(old, "location", words.location(), after.words().location());
        if (words.metadata() != null && !words.metadata().equals(after.words().metadata())) {
            old.with("metadata", new ExactJson(words.metadata()));
        }
        changed(old, "status", before.status().wireName(), after.status().wireName());
        changed(old, "all_day", allDay, after.time().allDay());
        changed(old, "start", start(before), start(after));
        changed(old, "end", end(before), end(after));
        changed(
                old,
                "timezone",
                before.time().zone().getId(),
                after.time().zone().getId());
        changed(old, "duration_mode", EventContent.mode(before.time()), EventContent.mode(after.time()));
        if (before.recurrence() != null && !before.recurrence().equals(after.recurrence())) {
            old.with("recurrence", before.recurrence().json(allDay));
        }
        if (before.guests().count() > 0
                && !before.guests().list().equals(after.guests().list())) {
            old.with(
                    "attendees",
                    before.guests().list().stream().map(Attendee::json).toList());
        }
        return old;
    }

    private static String start(EventContent content) {
        return WallTime.format(content.time().shownStart(), content.time().allDay());
    }

    private static String end(EventContent content) {
        return WallTime.format(content.time().shownEnd(), content.time().allDay());
    }

    private static void changed(JsonObject old, String name, @Nullable Object before, @Nullable Object after) {
        if (!Objects.equals(before, after)) {
            old.with(name, before);
        }
    }
}
