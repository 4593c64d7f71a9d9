package dev.inboxd.mail.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the writer writes, the reader reads as it was meant. */
class CalendarRoundTripTest {
    private static final int CALENDARS = 3_000;
    private static final List<String> ZONES = List.of(
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "Asia/Calcutta",
            "Australia/Lord_Howe",
            "America/St_Johns",
            "Pacific/Apia",
            "Africa/Casablanca");
    private static final List<String> PIECES = List.of(
            "a",
            "Bb",
            " ",
            "é",
            "ß",
            "😀",
            "日本",
            "\n",
            "\t",
            ",",
            ";",
            ":",
            "\\",
            "\"",
            "^",
            "^n",
            "\\n",
            "'",
            "=",
            "%41",
            "BEGIN:VEVENT");

    private final Random random = new Random(5545);

    @Test
    void everyCalendarIsReadBackAsItWas() throws RuleSyntaxException {
        int dates = 0;
        for (int i = 0; i < CALENDARS; i++) {
            String uid = text(1) + "@x.test";
            EventTime time = time();
            List<EventComponent> events = new ArrayList<>(List.of(event(uid, time, null)));
            for (int date = random.nextInt(4); date > 0; date--) {
                events.add(event(uid, time(), WallValue.moment(time.allDay(), start(time.allDay()), time.zone())));
            }
            String method = random.nextBoolean() ? "REQUEST" : null;
            byte[] octets = ICalendarWriter.write(method, events);
            ReadResult result = ICalendarReader.read(octets, "utf-8", time.zone());
            assertThat(result).isInstanceOf(ReadResult.Calendar.class);
            ReadResult.Calendar calendar = (ReadResult.Calendar) result;
            assertThat(calendar.method()).isEqualTo(method);
            assertThat(calendar.uid()).isEqualTo(uid);
            assertThat(calendar.events()).hasSameSizeAs(events);
            for (int n = 0; n < events.size(); n++) {
                check(events.get(n), calendar.events().get(n), time.zone());
                dates += events.get(n).schedule().rdates().size();
            }
        }
        assertThat(dates).isGreaterThan(CALENDARS / 2);
    }

    private static void check(EventComponent written, ReadEvent read, ZoneId floating) {
        assertThat(read.sequence()).isEqualTo(written.identity().sequence());
        assertThat(read.stamp()).isEqualTo(written.identity().stamp());
        EventTime date = written.identity().recurrenceId();
        EventTime readDate = read.recurrenceId();
        assertThat(readDate == null).isEqualTo(date == null);
        if (date != null && readDate != null) {
            assertSame(date, readDate, date.allDay() ? floating : date.zone());
        }
        EventTime time = written.schedule().time();
        assertSame(time, Objects.requireNonNull(read.time()), time.allDay() ? floating : time.zone());
        assertThat(read.rule() == null ? null : read.rule().text())
                .isEqualTo(written.schedule().rule());
        assertThat(read.exdates())
                .isEqualTo(written.schedule().exdates().stream().distinct().toList());
        List<Recurrence.AddedDate> rdates = written.schedule().rdates();
        assertThat(read.rdates()).hasSameSizeAs(rdates);
        for (int i = 0; i < rdates.size(); i++) {
            EventTime own = rdates.get(i).time();
            EventTime readOwn = read.rdates().get(i).time();
            assertThat(read.rdates().get(i).start()).isEqualTo(rdates.get(i).start());
            assertThat(readOwn == null).isEqualTo(own == null || own.allDay());
            if (own != null && readOwn != null) {
                assertSame(own, readOwn, time.zone());
            }
        }
        assertThat(read.words()).isEqualTo(written.words());
        assertThat(read.organizer()).isEqualTo(written.organizer());
        assertThat(read.attendees()).isEqualTo(written.attendees());
    }

    /** The mode is not written. */
    private static void assertSame(EventTime written, EventTime read, ZoneId zone) {
        assertThat(read.zone()).isEqualTo(zone);
        assertThat(read.allDay()).isEqualTo(written.allDay());
        assertThat(read.start()).isEqualTo(written.start());
        EventTime here = new EventTime(written.allDay(), written.start(), written.end(), zone, written.mode());
        assertThat(read.endAt()).as(written.toString()).isEqualTo(here.endAt());
    }

    private EventComponent event(String uid, EventTime time, @Nullable EventTime date) throws RuleSyntaxException {
        int sequence = random.nextInt();
        Instant stamp = Instant.ofEpochSecond(1_700_000_000L + random.nextInt(100_000_000));
        String description = text(random.nextInt(100));
        String comment = text(random.nextInt(10));
        List<EventComponent.Guest> guests = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            guests.add(new EventComponent.Guest(
                    person("guest" + i + "&+%é@x.test"),
                    pick("REQ-PARTICIPANT", "OPT-PARTICIPANT"),
                    pick("NEEDS-ACTION", "ACCEPTED", "DECLINED", "TENTATIVE")));
        }
        return new EventComponent(
                new EventComponent.Identity(uid, sequence < 0 ? 0 : sequence, stamp, date),
                date == null ? schedule(time) : new EventComponent.Schedule(time, null, List.of(), List.of()),
                new EventComponent.Words(
                        text(random.nextInt(20)),
                        description.isEmpty() ? null : description,
                        random.nextBoolean() ? null : "Room " + text(3),
                        pick("CONFIRMED", "TENTATIVE", "CANCELLED"),
                        comment.isEmpty() ? null : comment),
                random.nextBoolean() ? null : person("organizer@x.test"),
                guests);
    }

    private EventComponent.Schedule schedule(EventTime time) throws RuleSyntaxException {
        boolean isSeries = random.nextBoolean();
        List<LocalDateTime> exdates = new ArrayList<>();
        Map<LocalDateTime, Recurrence.AddedDate> rdates = new LinkedHashMap<>();
        for (int i = isSeries ? random.nextInt(5) : 0; i > 0; i--) {
            exdates.add(start(time.allDay()));
            LocalDateTime start = start(time.allDay());
            EventTime own = random.nextBoolean() ? null : time(time.allDay(), start, time.zone());
            rdates.put(start, new Recurrence.AddedDate(start, own));
        }
        String until = time.allDay() ? ";UNTIL=20301231" : ";UNTIL=20301231T120000Z";
        String rule = pick("FREQ=DAILY", "FREQ=WEEKLY;COUNT=5", "FREQ=YEARLY", "FREQ=DAILY;INTERVAL=3" + until);
        return new EventComponent.Schedule(
                time,
                isSeries ? RecurrenceRule.parse(rule, time.allDay(), false).text() : null,
                exdates,
                List.copyOf(rdates.values()));
    }

    private EventTime time() {
        boolean allDay = random.nextInt(3) == 0;
        return time(allDay, start(allDay), ZoneId.of(pick(ZONES.toArray(String[]::new))));
    }

    private EventTime time(boolean allDay, LocalDateTime start, ZoneId zone) {
        LocalDateTime end = allDay ? start.plusDays(random.nextInt(5)) : start.plusMinutes(random.nextInt(2_000));
        EventTime time = new EventTime(
                allDay, start, end, zone, allDay || random.nextBoolean() ? DurationMode.NOMINAL : DurationMode.EXACT);
        // So that ends lie in the second time round of an overlap, too.
        return random.nextBoolean() ? time : time.at(time.start());
    }

    /** Often near a change of clocks. */
    private LocalDateTime start(boolean allDay) {
        LocalDateTime day = random.nextBoolean()
                ? LocalDateTime.parse(
                                pick("2026-03-29T01:00", "2026-10-25T01:00", "2026-11-01T00:00", "2026-04-05T01:00"))
                        .plusMinutes(15L * random.nextInt(12))
                : LocalDateTime.parse("2020-01-01T00:00:00").plusSeconds(random.nextInt(300_000_000));
        return allDay ? day.truncatedTo(ChronoUnit.DAYS) : day;
    }

    private EventComponent.Person person(String email) {
        return new EventComponent.Person(email, random.nextBoolean() ? null : "N" + text(random.nextInt(5)) + "n");
    }

    private String text(int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
