package dev.inboxd.calendar.content;

import dev.inboxd.base.json.ExactJson;
import dev.inboxd.base.json.Json;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What differs in dates of a series from the series, by the names of the members in JSON. A member that is there and
 * null clears. {@code length} is the time on the wall between start and end, for dates with starts of their own.
 */
public record DateFields(Map<String, @Nullable Object> members) {
    /** Nothing differs. */
    public static final DateFields NONE = new DateFields(Map.of());

    public DateFields {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /** The fields of a stored text. */
    @SuppressWarnings("unchecked")
    public static DateFields stored(String text) {
        return new DateFields((Map<String, @Nullable Object>) Objects.requireNonNull(Json.stored(text)));
    }

    /** Everything of a content, so that nothing of its series shows any more. */
    @SuppressWarnings("unchecked")
    public static DateFields of(EventContent content) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(
                (Map<String, @Nullable Object>) Objects.requireNonNull(Json.stored(Json.text(content.stored()))));
        for (String cleared : new String[] {"description", "location", "metadata", "response_status"}) {
            all.putIfAbsent(cleared, null);
        }
        return new DateFields(all);
    }

    public String stored() {
        return Json.text(new ExactJson(members));
    }

    /** These that say when the date takes place. */
    public DateFields times() {
        return only(Set.of("all_day", "start", "end", "timezone", "duration_mode"));
    }

    /** The client's own value of a content. */
    public static DateFields metadata(EventContent content) {
        return of(content).only(Set.of("metadata"));
    }

    /** Those of some names. */
    private DateFields only(Set<String> names) {
        Map<String, @Nullable Object> selected = new LinkedHashMap<>(members);
        selected.keySet().retainAll(names);
        return new DateFields(selected);
    }

    /** These without a status, unless it is that the date is cancelled. */
    public DateFields withoutStatus() {
        Map<String, @Nullable Object> others = new LinkedHashMap<>(members);
        others.remove("status");
        return isCancelled() ? this : new DateFields(others);
    }

    /** That the date does not take place. */
    public static DateFields cancelled() {
        return new DateFields(Map.of("status", EventStatus.CANCELLED.wireName()));
    }

    /** Whether they say that the date does not take place. */
    public boolean isCancelled() {
        return EventStatus.CANCELLED.wireName().equals(members.get("status"));
    }

    boolean has(String name) {
        return members.containsKey(name);
    }

    /** Whether they say when the date takes place. */
    public boolean hasTime() {
        return has("start") || has("end");
    }

    /** Whether they say who is invited. */
    public boolean hasGuests() {
        return has("attendees") || has("attendee_count");
    }

    /** These with others over them. */
    public DateFields with(DateFields others) {
        Map<String, @Nullable Object> both = new LinkedHashMap<>(members);
        both.putAll(others.members);
        return new DateFields(both);
    }

    /** A content with these fields over it. */
    public EventContent over(EventContent content) {
        EventWords words = content.words();
        return new EventContent(
                new EventWords(
                        has("title") ? (String) Objects.requireNonNull(members.get("title")) : words.title(),
                        text("description", words.description()),
                        text("location", words.location()),
                        has("metadata") ? members.get("metadata") : words.metadata()),
                has("status") ? EventStatus.ofWire(Objects.requireNonNull(text("status", null))) : content.status(),
                time(content.time()),
                null,
                hasGuests() ? Guests.stored(members) : content.guests());
    }

    private @Nullable String text(String name, @Nullable String otherwise) {
        return has(name) ? (String) members.get(name) : otherwise;
    }

    private EventTime time(EventTime nominal) {
        boolean allDay = has("all_day") ? Boolean.TRUE.equals(members.get("all_day")) : nominal.allDay();
        LocalDateTime start = has("start") ? wall("start") : nominal.start();
        LocalDateTime end = nominal.end();
        if (has("end")) {
            end = wall("end");
        } else if (members.get("length") instanceof String length) {
            end = nominal.start().plus(Duration.parse(length));
        }
        ZoneId zone = members.get("timezone") instanceof String id ? ZoneId.of(id) : nominal.zone();
        return new EventTime(
                allDay,
                start,
                end,
                zone,
                members.get("duration_mode") instanceof String mode ? EventContent.mode(mode) : nominal.mode());
    }

    private LocalDateTime wall(String name) {
        return WallTime.stored(Objects.requireNonNull(members.get(name)));
    }
}
