package dev.inboxd.calendar.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.content.EventVersion;
import dev.inboxd.calendar.content.EventWords;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which start or end is told next: the table of calendar.md §8. */
class BoundaryScheduleTest {
    private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");
    private static final EventTime HALF_HOUR = new EventTime(
            false,
            LocalDateTime.parse("2026-10-07T09:00:00"),
            LocalDateTime.parse("2026-10-07T09:30:00"),
            ZoneId.of("UTC"),
            DurationMode.NOMINAL);

    private static CalendarEvent event(EventStatus status, @Nullable String rule) {
        EventRecurrence recurrence = rule == null ? null : new EventRecurrence(rule, List.of(), List.of(), null);
        return new CalendarEvent(
                new UUID(0, 1),
                new CalendarEvent.Place(new UUID(0, 2), new UUID(0, 3), new UUID(0, 4)),
                CalendarEvent.Origin.ours("uid", "a@x.test"),
                new EventContent(new EventWords("A", null, null, null), status, HALF_HOUR, recurrence, Guests.NONE),
                EventVersion.first("evt_", MADE),
                CalendarEvent.MailState.NONE,
                CalendarTx.Author.NONE);
    }

    private static String next(WholeEvent whole, String now) {
        BoundarySchedule.Boundary next = BoundarySchedule.next(whole, Instant.parse("2026-10-" + now + "Z"));
        return next == null ? "none" : (next.slot() + " " + next.which().wireName() + " " + next.at()).strip();
    }

    private static WholeEvent single(EventStatus status, BoundaryKind... told) {
        Set<BoundarySchedule.Mark> marks = new HashSet<>();
        for (BoundaryKind each : told) {
            marks.add(new BoundarySchedule.Mark("", each));
        }
        return WholeEvent.of(event(status, null)).raised(marks);
    }

    @Test
    void aSingleEventStartsAndThenEnds() {
        assertThat(next(single(EventStatus.CONFIRMED), "01T00:00:00")).isEqualTo("starting 2026-10-07T09:00:00Z");
        assertThat(next(single(EventStatus.CONFIRMED), "07T09:10:00"))
                .as("made while it runs")
                .isEqualTo("starting 2026-10-07T09:00:00Z");
        assertThat(next(single(EventStatus.CONFIRMED, BoundaryKind.STARTING), "07T09:10:00"))
                .isEqualTo("ending 2026-10-07T09:30:00Z");
        assertThat(next(single(EventStatus.CONFIRMED, BoundaryKind.STARTING), "09T00:00:00"))
                .as("down over its end")
                .isEqualTo("ending 2026-10-07T09:30:00Z");
        assertThat(next(single(EventStatus.CONFIRMED, BoundaryKind.STARTING, BoundaryKind.ENDING), "07T09:31:00"))
                .isEqualTo("none");
        assertThat(next(single(EventStatus.CONFIRMED), "07T09:31:00"))
                .as("down over all of it")
                .isEqualTo("none");
    }

    @Test
    void aCancelledEventEndsOnlyWhenItHasStarted() {
        assertThat(next(single(EventStatus.CANCELLED), "01T00:00:00")).isEqualTo("none");
        assertThat(next(single(EventStatus.CANCELLED, BoundaryKind.STARTING), "07T09:10:00"))
                .isEqualTo("ending 2026-10-07T09:30:00Z");
    }

    @Test
    void whatIsShortAndJustOverIsStillTold() {
        EventTime minute = new EventTime(
                false, HALF_HOUR.start(), HALF_HOUR.start().plusMinutes(1), HALF_HOUR.zone(), HALF_HOUR.mode());
        CalendarEvent event = event(EventStatus.CONFIRMED, null);
        WholeEvent whole = WholeEvent.of(event.with(event.content().with(minute), event.version()));
        assertThat(next(whole, "07T09:05:00")).isEqualTo("starting 2026-10-07T09:00:00Z");
        assertThat(next(whole, "07T09:05:01")).isEqualTo("none");
    }

    private static WholeEvent series(List<DateOverride> edits, String... told) {
        CalendarEvent event = event(EventStatus.CONFIRMED, "FREQ=DAILY");
        Set<BoundarySchedule.Mark> marks = new HashSet<>();
        for (String mark : told) {
            String[] words = mark.split(" ", -1);
            marks.add(new BoundarySchedule.Mark(words[0], BoundaryKind.valueOf(words[1])));
        }
        return new WholeEvent(event, List.of(), new SeriesDates(event, List.of(), edits), marks);
    }

    private static DateOverride edit(String slot, String... fields) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            members.put(fields[i], fields[i + 1]);
        }
        return new DateOverride(
                Objects.requireNonNull(Slot.parse(slot)),
                false,
                DateFields.stored(Json.text(members)),
                false,
                DateOverride.Version.first("evt_", MADE));
    }

    @Test
    void theDatesOfASeriesComeOneAfterAnother() {
        String first = "t20261007T090000";
        assertThat(next(series(List.of()), "01T00:00:00")).isEqualTo(first + " starting 2026-10-07T09:00:00Z");
        assertThat(next(series(List.of(), first + " STARTING"), "07T09:10:00"))
                .isEqualTo(first + " ending 2026-10-07T09:30:00Z");
        assertThat(next(series(List.of(), first + " STARTING", first + " ENDING"), "07T10:00:00"))
                .isEqualTo("t20261008T090000 starting 2026-10-08T09:00:00Z");
        assertThat(next(series(List.of()), "20T09:10:00"))
                .as("those before are missed, the one that runs is told at once")
                .isEqualTo("t20261020T090000 starting 2026-10-20T09:00:00Z");
    }

    @Test
    void anEditedDateIsToldWhereItTakesPlace() {
        DateOverride moved = edit("t20261009T090000", "start", "2026-10-08T08:00:00", "end", "2026-10-08T08:30:00");
        DateOverride off = edit("t20261008T090000", "status", "cancelled");
        assertThat(next(series(List.of(moved, off)), "07T12:00:00"))
                .isEqualTo("t20261009T090000 starting 2026-10-08T08:00:00Z");
        assertThat(next(
                        series(List.of(moved, off), "t20261009T090000 STARTING", "t20261009T090000 ENDING"),
                        "08T08:40:00"))
                .isEqualTo("t20261010T090000 starting 2026-10-10T09:00:00Z");
        assertThat(next(series(List.of(off), "t20261008T090000 STARTING"), "08T09:10:00"))
                .as("cancelled while it runs")
                .isEqualTo("t20261008T090000 ending 2026-10-08T09:30:00Z");
    }
}
