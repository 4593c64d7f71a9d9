package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarFiles.calendar;
import static dev.inboxd.mail.calendar.CalendarFiles.event;
import static dev.inboxd.mail.calendar.CalendarFiles.result;
import static dev.inboxd.mail.calendar.CalendarFiles.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.recurrence.EventTime;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Zones that nobody knows by their name are taken by the clocks that their VTIMEZONE tells. */
class ForeignZonesTest {
    private static final String EUROPE = zone(
            observance("STANDARD", "16010101T030000", "+0200", "+0100", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10"),
            observance("DAYLIGHT", "16010101T020000", "+0100", "+0200", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"));
    private static final String NEW_YORK = zone(
            observance("DAYLIGHT", "20070311T020000", "-0500", "-0400", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
            observance("STANDARD", "20071104T020000", "-0400", "-0500", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"));
    /** As no zone has it: half an hour in summer, from the middle of March. */
    private static final String NOWHERE = zone(
            observance("STANDARD", "19700101T030000", "+0345", "+0315", "RRULE:FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=3"),
            observance("DAYLIGHT", "19700101T030000", "+0315", "+0345", "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3"));

    private static String observance(String kind, String start, String from, String to, String more) {
        return "BEGIN:%s\r\nDTSTART:%s\r\nTZOFFSETFROM:%s\r\nTZOFFSETTO:%s\r\n%sEND:%s\r\n"
                .formatted(kind, start, from, to, more.isEmpty() ? "" : more + "\r\n", kind);
    }

    private static String zone(String... observances) {
        return "BEGIN:VTIMEZONE\r\nTZID:Customized Time Zone\r\n" + String.join("", observances) + "END:VTIMEZONE\r\n";
    }

    private static EventTime time(String zone, String start, String... more) {
        ReadEvent read = calendar(whole(zone, meeting(start, more))).events().getFirst();
        return Objects.requireNonNull(read.time());
    }

    private static String meeting(String start, String... more) {
        String[] lines = new String[more.length + 1];
        lines[0] = "DTSTART;TZID=Customized Time Zone:" + start;
        System.arraycopy(more, 0, lines, 1, more.length);
        return event(lines);
    }

    @ParameterizedTest
    @CsvSource({
        "20270503T100000, 2027-05-03T08:00:00Z",
        "20271031T100000, 2027-10-31T09:00:00Z",
        "20271030T100000, 2027-10-30T08:00:00Z",
        "19990503T100000, 1999-05-03T08:00:00Z"
    })
    void aMeetingTakesPlaceByTheClocksOfItsZone(String start, Instant at) {
        assertThat(time(EUROPE, start).startAt()).isEqualTo(at);
    }

    @Test
    void aSeriesHasAZoneWithTheSameClocksThroughoutAndNoOther() {
        assertThat(time(EUROPE, "20270301T100000", "RRULE:FREQ=WEEKLY").zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(time(NEW_YORK, "20270301T100000", "RRULE:FREQ=WEEKLY").zone())
                .isEqualTo(ZoneId.of("America/New_York"));
        assertThat(time(NEW_YORK, "20270110T100000", "RRULE:FREQ=WEEKLY;COUNT=4")
                        .startAt())
                .isEqualTo(Instant.parse("2027-01-10T15:00:00Z"));
    }

    /** Of several zones that fit, that of the calendar is the one that its owner knows. */
    @Test
    void theZoneOfTheCalendarWins() {
        String text = whole(EUROPE, meeting("20270503T100000", "RRULE:FREQ=DAILY"));
        ReadResult read = ICalendarReader.read(text.getBytes(StandardCharsets.UTF_8), null, ZoneId.of("Europe/Madrid"));
        assertThat(((ReadResult.Calendar) read).events().getFirst().time())
                .extracting(EventTime::zone)
                .isEqualTo(ZoneId.of("Europe/Madrid"));
    }

    @Test
    void whereNoZoneHasTheClocksASingleEventIsTakenAsInstantsAndASeriesIsNot() {
        assertThat(time(NOWHERE, "20270503T100000").startAt()).isEqualTo(Instant.parse("2027-05-03T06:15:00Z"));
        assertThat(time(NOWHERE, "20270203T100000", "DTEND;TZID=Customized Time Zone:20270203T110000")
                        .endAt())
                .isEqualTo(Instant.parse("2027-02-03T07:45:00Z"));
        for (String rule : List.of("RRULE:FREQ=DAILY;COUNT=3", "RDATE;TZID=Customized Time Zone:20270504T100000")) {
            assertThat(refusal(whole(NOWHERE, meeting("20270503T100000", rule))))
                    .isEqualTo(ReadResult.Kind.UNKNOWN_ZONE);
        }
        String date = meeting("20270503T100000", "RECURRENCE-ID;TZID=Customized Time Zone:20270503T090000");
        assertThat(calendar(whole(NOWHERE, date)).events().getFirst().recurrenceId())
                .extracting(EventTime::startAt)
                .isEqualTo(Instant.parse("2027-05-03T05:15:00Z"));
    }

    /** Rules that ended, single changes, and a zone that had other rules once. */
    @Test
    void clocksAreToldInManyWays() {
        String changed = zone(
                observance(
                        "DAYLIGHT",
                        "19870405T020000",
                        "-0500",
                        "-0400",
                        "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z"),
                observance(
                        "STANDARD",
                        "19671029T020000",
                        "-0400",
                        "-0500",
                        "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z"),
                observance("DAYLIGHT", "20070311T020000", "-0500", "-0400", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
                observance("STANDARD", "20071104T020000", "-0400", "-0500", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"));
        assertThat(time(changed, "20270315T100000").startAt()).isEqualTo(Instant.parse("2027-03-15T14:00:00Z"));
        assertThat(time(changed, "20060315T100000").startAt()).isEqualTo(Instant.parse("2006-03-15T15:00:00Z"));
        String single = zone(
                observance("STANDARD", "20261025T030000", "+0200", "+0100", "RDATE:20271031T030000"),
                observance("DAYLIGHT", "20270328T020000", "+0100", "+0200", ""));
        assertThat(time(single, "20270503T100000").startAt()).isEqualTo(Instant.parse("2027-05-03T08:00:00Z"));
        assertThat(time(zone(observance("STANDARD", "19700101T000000", "+0530", "+0530", "")), "20270503T100000")
                        .startAt())
                .isEqualTo(Instant.parse("2027-05-03T04:30:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TZOFFSETTO:+01:00",
                "TZOFFSETTO:+2900",
                "TZOFFSETTO:",
                "TZOFFSETTO:+0100\r\nRRULE:FREQ=SECONDLY",
                "TZOFFSETTO:+0100\r\nRRULE:nonsense",
                "X-A:1"
            })
    void clocksThatCannotBeReadAreNoZone(String lines) {
        String zone = zone(
                "BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\n" + lines + "\r\nEND:STANDARD\r\n");
        assertThat(refusal(whole(zone, meeting("20270503T100000")))).isEqualTo(ReadResult.Kind.UNKNOWN_ZONE);
        assertThat(refusal(whole(zone(), meeting("20270503T100000")))).isEqualTo(ReadResult.Kind.UNKNOWN_ZONE);
    }

    @Test
    void moreThanTwentyObservancesAreNoZone() {
        String one = observance("STANDARD", "19700101T000000", "+0100", "+0100", "");
        assertThat(time(zone(one.repeat(20)), "20270503T100000").startAt())
                .isEqualTo(Instant.parse("2027-05-03T09:00:00Z"));
        assertThat(refusal(whole(zone(one.repeat(21)), meeting("20270503T100000"))))
                .isEqualTo(ReadResult.Kind.UNKNOWN_ZONE);
    }

    @ParameterizedTest
    @CsvSource({
        "Armenian Standard Time, Asia/Yerevan",
        "Mexico Standard Time, America/Mexico_City",
        "Kamchatka Standard Time, Asia/Kamchatka",
        "Malay Peninsula Standard Time, Asia/Singapore",
        "eastern standard time, America/New_York",
        "W. EUROPE STANDARD TIME, Europe/Berlin",
        "europe/paris, Europe/Paris",
        "AMERICA/NEW_YORK, America/New_York",
        "/example.org/20210210_1/europe/berlin, Europe/Berlin",
        "utc, UTC"
    })
    void retiredNamesAndLettersOfAnotherCaseAreKnown(String name, String zone) {
        assertThat(calendar(whole(event("DTSTART;TZID=" + name + ":20270503T100000")))
                        .events()
                        .getFirst()
                        .time())
                .extracting(EventTime::zone)
                .isEqualTo(ZoneId.of(zone));
    }

    private static ReadResult.Kind refusal(String text) {
        return ((ReadResult.Refusal) result(text)).kind();
    }
}
