package dev.inboxd.mail.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What other programs read of our calendars. */
class ICalendarWriterTest {
    private static final LocalDateTime START = LocalDateTime.of(2026, 10, 15, 14, 0);

    @Test
    void aRequestHasTheTimesOfItsZoneAndItsPeople() {
        String text = written("REQUEST", event(time("Europe/Berlin", false), null, "Call; with \\ bo, and\njo"));
        assertThat(text)
                .startsWith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//inboxd//EN\r\nCALSCALE:GREGORIAN\r\n"
                        + "METHOD:REQUEST\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:DAYLIGHT\r\n"
                        + "DTSTART:20260329T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n"
                        + "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nTZNAME:CEST\r\nEND:DAYLIGHT\r\n"
                        + "BEGIN:STANDARD\r\n"
                        + "DTSTART:20251026T030000\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n"
                        + "TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nTZNAME:CET\r\nEND:STANDARD\r\n"
                        + "END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1@x.test\r\nSEQUENCE:2\r\nDTSTAMP:20261001T163000Z\r\n"
                        + "DTSTART;TZID=Europe/Berlin:20261015T140000\r\nDTEND;TZID=Europe/Berlin:20261015T143000\r\n"
                        + "SUMMARY:Call\\; with \\\\ bo\\, and\\njo\r\nSTATUS:CONFIRMED\r\n"
                        + "ORGANIZER;CN=\"A ^'Q^' ^^\":mailto:a@x.test\r\n")
                .endsWith("ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:b%26c@\r\n x.test\r\n"
                        + "END:VEVENT\r\nEND:VCALENDAR\r\n");
    }

    @Test
    void aSeriesHasItsRuleAndItsOwnDates() {
        EventTime first = time("America/New_York", false);
        EventTime longer = new EventTime(
                false, START.plusDays(1), START.plusDays(1).plusHours(2), first.zone(), DurationMode.NOMINAL);
        String text = written(
                null,
                new EventComponent(
                        new EventComponent.Identity("1@x.test", 0, Instant.EPOCH, null),
                        new EventComponent.Schedule(
                                first,
                                "FREQ=WEEKLY",
                                List.of(START.plusWeeks(1)),
                                List.of(
                                        new Recurrence.AddedDate(START.plusDays(2), null),
                                        new Recurrence.AddedDate(START.plusDays(1), longer))),
                        words("Standup"),
                        null,
                        List.of()));
        assertThat(text)
                .doesNotContain("METHOD")
                .contains("RRULE:FREQ=WEEKLY\r\nEXDATE;TZID=America/New_York:20261022T140000\r\n"
                        + "RDATE;TZID=America/New_York:20261017T140000\r\n"
                        + "RDATE;VALUE=PERIOD;TZID=America/New_York:20261016T140000/20261016T160000\r\n")
                .contains("RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\n")
                .contains("RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\r\n");
    }

    @Test
    void daysAndUtcNeedNoZone() {
        assertThat(written(null, event(time("Europe/Berlin", true), time("Europe/Berlin", true), "Trip")))
                .doesNotContain("VTIMEZONE")
                .contains("DTSTART;VALUE=DATE:20261015\r\nDTEND;VALUE=DATE:20261016\r\n"
                        + "RECURRENCE-ID;VALUE=DATE:20261015\r\n");
        assertThat(written(null, event(time("Etc/UTC", false), time("Etc/UTC", false), "Trip")))
                .doesNotContain("VTIMEZONE")
                .contains("DTSTART:20261015T140000Z\r\nDTEND:20261015T143000Z\r\nRECURRENCE-ID:20261015T140000Z\r\n");
    }

    @Test
    void noTextBecomesAPropertyOrALineThatIsTooLong() {
        String nasty = "\r\nATTENDEE:mailto:x@evil.test\rBcc: y@evil.test\n\0\u000b\u0085\u2028\ud83d"
                + "é😀\"^;,:\\".repeat(60);
        EventComponent.Person person = new EventComponent.Person("a@x.test", nasty);
        String text = written(
                "REQUEST",
                new EventComponent(
                        new EventComponent.Identity(nasty, 0, Instant.EPOCH, null),
                        new EventComponent.Schedule(time("Europe/Berlin", false), null, List.of(), List.of()),
                        new EventComponent.Words(nasty, nasty, nasty, "CONFIRMED", nasty),
                        person,
                        List.of(new EventComponent.Guest(person, "REQ-PARTICIPANT", "ACCEPTED"))));
        List<String> lines = List.of(text.split("\r\n"));
        assertThat(lines)
                .allMatch(line -> line.getBytes(StandardCharsets.UTF_8).length <= 75)
                .noneMatch(line -> line.startsWith("Bcc"));
        assertThat(lines.stream().filter(line -> line.startsWith("ATTENDEE"))).hasSize(1);
        assertThat(text.replace("\r\n", "")).doesNotContain("\r", "\n", "\0", "\ud83d\"");
        String unfolded = text.replace("\r\n ", "");
        String expected =
                "\\nATTENDEE:mailto:x@evil.test\\nBcc: y@evil.test\\n\\n\ufffd" + "é😀\"^\\;\\,:\\\\".repeat(60);
        assertThat(unfolded).contains("SUMMARY:" + expected + "\r\n", "COMMENT:" + expected + "\r\n");
    }

    @Test
    void noWordBecomesAProperty() {
        EventComponent.Person person = new EventComponent.Person("a@x.test\r\nX-A:1", null);
        String text = written(
                "REQUEST\r\nX-B:1",
                new EventComponent(
                        new EventComponent.Identity("1@x.test", 0, Instant.EPOCH, null),
                        new EventComponent.Schedule(
                                time("Europe/Berlin", false), "FREQ=DAILY\r\nX-C:1", List.of(), List.of()),
                        new EventComponent.Words("Call", null, null, "CONFIRMED\nX-D:1", null),
                        person,
                        List.of(new EventComponent.Guest(person, "CHAIR\r\nX-E:1", "ACCEPTED\rX-F:1"))));
        assertThat(text.lines()).noneMatch(line -> line.startsWith("X-"));
    }

    @Test
    void aMovedDateHasTheClocksOfTheTimeThatItHad() {
        EventTime had = time("Europe/Berlin", false).at(LocalDateTime.of(2026, 2, 3, 9, 0));
        String text = written("REQUEST", event(time("Europe/Berlin", false), had, "Call"));
        assertThat(text)
                .contains(
                        "BEGIN:STANDARD\r\nDTSTART:20251026T030000\r\n",
                        "BEGIN:DAYLIGHT\r\nDTSTART:20250330T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n")
                .contains("RECURRENCE-ID;TZID=Europe/Berlin:20260203T090000\r\n");
    }

    @Test
    void aDateIsNamedAsItsSeriesHasItWhereverItWasMoved() {
        EventTime had = time("Asia/Tokyo", false);
        assertThat(written("REQUEST", event(time("Europe/Berlin", false), had, "Call")))
                .contains("TZID:Asia/Tokyo\r\n", "TZID:Europe/Berlin\r\n")
                .contains("DTSTART;TZID=Europe/Berlin:20261015T140000\r\n")
                .contains("RECURRENCE-ID;TZID=Asia/Tokyo:20261015T140000\r\n");
        assertThat(written("REQUEST", event(time("Europe/Berlin", true), had, "Trip")))
                .contains("TZID:Asia/Tokyo\r\n", "DTSTART;VALUE=DATE:20261015\r\n")
                .contains("RECURRENCE-ID;TZID=Asia/Tokyo:20261015T140000\r\n");
        assertThat(written("REQUEST", event(had, time("Europe/Berlin", true), "Call")))
                .contains("DTSTART;TZID=Asia/Tokyo:20261015T140000\r\n", "RECURRENCE-ID;VALUE=DATE:20261015\r\n");
    }

    @Test
    void anEndAtAChangeIsReadByTheNewClock() {
        LocalDateTime start = LocalDateTime.of(2026, 3, 29, 1, 0);
        EventTime time =
                new EventTime(false, start, start.plusHours(1), ZoneId.of("Europe/Berlin"), DurationMode.EXACT);
        assertThat(written(null, event(time, null, "Call")))
                .contains(
                        "DTEND;TZID=Europe/Berlin:20260329T030000\r\n",
                        "BEGIN:DAYLIGHT\r\nDTSTART:20250330T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n");
    }

    @Test
    void anEndInTheSecondTimeRoundIsInUtc() {
        LocalDateTime day = LocalDateTime.of(2026, 10, 24, 2, 30);
        ZoneId zone = ZoneId.of("Europe/Berlin");
        EventTime time = new EventTime(false, day, day.plusMinutes(45), zone, DurationMode.EXACT).at(day.plusDays(1));
        EventComponent single = event(time, null, "Call");
        assertThat(written(null, single))
                .contains("DTSTART;TZID=Europe/Berlin:20261025T023000\r\nDTEND:20261025T011500Z\r\n");
        EventComponent.Schedule added = new EventComponent.Schedule(
                time(zone.getId(), false), null, List.of(), List.of(new Recurrence.AddedDate(time.start(), time)));
        assertThat(written(null, new EventComponent(single.identity(), added, single.words(), null, List.of())))
                .contains("RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261025T023000/PT45M\r\n");
    }

    @Test
    void anEventWithoutLengthHasNoEnd() {
        EventTime time = new EventTime(false, START, START, ZoneId.of("Europe/Berlin"), DurationMode.EXACT);
        assertThat(written(null, event(time, null, "Call"))).doesNotContain("DTEND");
    }

    @Test
    void aZoneWhoseNameHasAColonIsInQuotes() {
        assertThat(written(null, event(time("+05:30", false), null, "Call")))
                .contains("TZID:+05:30\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0530\r\n")
                .contains("DTSTART;TZID=\"+05:30\":20261015T140000\r\n");
    }

    private static EventTime time(String zone, boolean allDay) {
        return allDay
                ? new EventTime(
                        true,
                        START.toLocalDate().atStartOfDay(),
                        START.toLocalDate().atStartOfDay(),
                        ZoneId.of(zone),
                        DurationMode.NOMINAL)
                : new EventTime(false, START, START.plusMinutes(30), ZoneId.of(zone), DurationMode.NOMINAL);
    }

    private static EventComponent event(EventTime time, @Nullable EventTime recurrenceId, String title) {
        return new EventComponent(
                new EventComponent.Identity("1@x.test", 2, Instant.parse("2026-10-01T16:30:00Z"), recurrenceId),
                new EventComponent.Schedule(time, null, List.of(), List.of()),
                words(title),
                new EventComponent.Person("a@x.test", "A \"Q\" ^"),
                List.of(new EventComponent.Guest(
                        new EventComponent.Person("b&c@x.test", null), "REQ-PARTICIPANT", "NEEDS-ACTION")));
    }

    private static EventComponent.Words words(String title) {
        return new EventComponent.Words(title, null, null, "CONFIRMED", null);
    }

    private static String written(@Nullable String method, EventComponent event) {
        return new String(ICalendarWriter.write(method, List.of(event)), StandardCharsets.UTF_8);
    }
}
