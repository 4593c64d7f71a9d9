package dev.inboxd.calendar.input;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.json.ExactJson;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.content.EventWords;
import dev.inboxd.calendar.content.WallTime;
import dev.inboxd.mail.recurrence.DurationMode;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of an event in a request.
 *
 * @param present the names of those that are there, null ones too
 * @param metadata any JSON
 */
public record EventMembers(
        Set<String> present,
        @Nullable String title,
        @Nullable String description,
        @Nullable String location,
        @Nullable Object metadata,
        @Nullable EventStatus status,
        @Nullable Boolean allDay,
        @Nullable WallTime start,
        @Nullable WallTime end,
        @Nullable ZoneId zone,
        @Nullable DurationMode mode,
        @Nullable RecurrenceInput recurrence,
        List<AttendeeInput> attendees,
        boolean sends) {
    private static final int LONGEST_TITLE = 1_000;
    private static final int LONGEST_LOCATION = 1_024;
    private static final int MOST_DESCRIPTION = 65_536;
    private static final int MOST_METADATA = 16_384;

    /** What an event says beside its time: it may change although the event has begun. */
    static final Set<String> WORDS = Set.of("title", "description", "location", "metadata", "attendees");

    private static final List<String> ALL = List.of(
            "title",
            "description",
            "location",
            "metadata",
            "status",
            "all_day",
            "start",
            "end",
            "timezone",
            "duration_mode",
            "recurrence",
            "attendees");
    /** What null clears; of the others it is as if it were not there. */
    private static final Set<String> CLEARABLE =
            Set.of("description", "location", "metadata", "recurrence", "attendees");

    /** Reads them; faults are collected in the body. */
    public static EventMembers read(JsonBody body) {
        Set<String> names = new HashSet<>();
        for (String name : ALL) {
            if (body.has(name) && (!body.isNull(name) || CLEARABLE.contains(name))) {
                names.add(name);
            }
        }
        return new EventMembers(
                names,
                body.string("title")
                        .multiline()
                        .keepEmpty()
                        .min(1)
                        .max(LONGEST_TITLE)
                        .optional(),
                description(body),
                body.string("location").multiline().max(LONGEST_LOCATION).optional(),
                metadata(body),
                body.choice("status", EventStatus.values(), EventStatus::wireName),
                body.flag("all_day"),
                body.string("start").as(WallTime::parse, WallTime.FORM),
                body.string("end").as(WallTime::parse, WallTime.FORM),
                body.string("timezone").as(TimeZones::parse, TimeZones.EXPECTED),
                body.choice(
                        "duration_mode",
                        DurationMode.values(),
                        mode -> mode.name().toLowerCase(Locale.ROOT)),
                RecurrenceInput.read(body),
                AttendeeInput.read(body),
                body.flag("send_invites", false));
    }

    private static @Nullable String description(JsonBody body) {
        String description = body.string("description").multiline().optional();
        if (description != null && description.getBytes(StandardCharsets.UTF_8).length > MOST_DESCRIPTION) {
            body.fault(
                    "description",
                    "description must have at most " + MOST_DESCRIPTION + " bytes",
                    Fault.Code.TOO_BIG,
                    "at most " + MOST_DESCRIPTION + " bytes");
        }
        return description;
    }

    private static @Nullable Object metadata(JsonBody body) {
        Object metadata = body.any("metadata");
        if (metadata != null && Json.write(new ExactJson(metadata)).length > MOST_METADATA) {
            body.fault(
                    "metadata",
                    "metadata must have at most " + MOST_METADATA + " bytes as JSON",
                    Fault.Code.TOO_BIG,
                    "at most " + MOST_METADATA + " bytes");
        }
        return metadata;
    }

    public boolean has(String name) {
        return present.contains(name);
    }

    /** Whether they touch anything else than words. */
    public boolean hasMoreThanWords() {
        return !WORDS.containsAll(present);
    }

    /** Whether they change when an event takes place. */
    public boolean hasSchedule() {
        return has("start") || has("end") || has("timezone") || has("recurrence") || has("all_day");
    }

    /** The words of an event with these over them. */
    public EventWords over(EventWords before) {
        return new EventWords(
                title == null ? before.title() : title,
                has("description") ? description : before.description(),
                has("location") ? location : before.location(),
                has("metadata") ? metadata : before.metadata());
    }
}
