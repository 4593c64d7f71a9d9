package dev.inboxd.calendar.event;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.content.WallTime;
import dev.inboxd.calendar.input.EventMembers;
import dev.inboxd.calendar.input.EventTimeInput;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a date of a series becomes by the members of a request (calendar.md §5). */
public final class DateChange {
    private static final List<String> OF_THE_SERIES = List.of("all_day", "timezone", "recurrence");

    private DateChange() {}

    /** Refuses what no date has for itself. */
    static void requireOwn(EventMembers members) {
        List<Fault> faults = new ArrayList<>();
        for (String name : OF_THE_SERIES) {
            if (members.has(name)) {
                faults.add(Fault.of(name, name + " is the series' own; change the series"));
            }
        }
        if (!faults.isEmpty()) {
            throw Problem.invalid(faults);
        }
    }

    /** Refuses a new start for a date and those that follow. */
    static void requireSameStart(EventMembers members) {
        if (members.has("start")) {
            throw Problem.of(
                    ErrorCode.FUTURE_EDIT_START_MOVE_NOT_SUPPORTED,
                    "Dates that follow keep their start",
                    "Move the series, or end it here and make another one.");
        }
    }

    /**
     * What differs in the date by these members.
     *
     * @param future whether it is for the dates that follow as well
     */
    static DateFields fields(EventMembers members, SeriesDate date, boolean future, String inbox) {
        EventContent before = date.content();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        put(fields, members, "title", members.title());
        put(fields, members, "description", members.description());
        put(fields, members, "location", members.location());
        put(fields, members, "metadata", members.metadata());
        put(
                fields,
                members,
                "status",
                members.status() == null ? null : members.status().wireName());
        EventTime time = EventTimeInput.ofDate(members, before.time());
        boolean allDay = time.allDay();
        put(fields, members, "start", WallTime.format(time.start(), allDay));
        put(fields, members, "duration_mode", EventContent.mode(time));
        if (members.has("end") && future) {
            fields.put("length", Duration.between(time.start(), time.end()).toString());
        } else {
            put(fields, members, "end", WallTime.format(time.end(), allDay));
        }
        boolean moved = !time.equals(before.time()) && date.series().origin().isOurs();
        if (members.has("attendees") || (moved && before.guests().count() > 0)) {
            fields.putAll(of(EventChange.guests(members, before.guests(), moved, inbox)));
        }
        return new DateFields(fields);
    }

    private static void put(
            Map<String, @Nullable Object> fields, EventMembers members, String name, @Nullable Object value) {
        if (members.has(name)) {
            fields.put(name, value);
        }
    }

    /** The fields of attendees. */
    public static Map<String, @Nullable Object> of(Guests guests) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put(
                "attendees",
                Json.stored(
                        Json.text(guests.list().stream().map(Attendee::stored).toList())));
        fields.put("attendee_count", (long) guests.count());
        fields.put("response_status", guests.own() == null ? null : guests.own().wireName());
        return fields;
    }
}
