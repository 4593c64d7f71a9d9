package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarFiles.ZONE;
import static dev.inboxd.mail.calendar.CalendarFiles.calendar;
import static dev.inboxd.mail.calendar.CalendarFiles.event;
import static dev.inboxd.mail.calendar.CalendarFiles.read;
import static dev.inboxd.mail.calendar.CalendarFiles.refusal;
import static dev.inboxd.mail.calendar.CalendarFiles.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When mail says that events take place. */
class ScheduleReaderTest {
    private static final String BERLIN = "DTSTART;TZID=Europe/Berlin:20261015T140000";
    private static final String RANGE = "A date is not between the years 1900 and 9999";

    @Test
    void aStartIsInUtcInAZoneOrFloating() {
        assertThat(time("DTSTART:20261015T140000Z")).isEqualTo(moment("2026-10-15T14:00", "UTC"));
        assertThat(time(BERLIN)).isEqualTo(moment("2026-10-15T14:00", "Europe/Berlin"));
        assertThat(time("DTSTART:20261015T140000")).isEqualTo(moment("2026-10-15T14:00", ZONE.getId()));
        assertThat(time("DTSTART;TZID=:20261015T140000")).isEqualTo(moment("2026-10-15T14:00", ZONE.getId()));
        assertThat(time("DTSTART;TZID=Asia/Tokyo:20261015T140000Z")).isEqualTo(moment("2026-10-15T14:00", "UTC"));
        assertThat(time("DTSTART;VALUE=DATE-TIME:20261015t140060z")).isEqualTo(moment("2026-10-15T14:00:59", "UTC"));
    }

    @Test
    void zonesHaveManyNames() {
        assertThat(zone("Asia/Calcutta")).isEqualTo("Asia/Calcutta");
        assertThat(zone("\"Europe/Berlin\"")).isEqualTo("Europe/Berlin");
        assertThat(zone("UTC")).isEqualTo("UTC");
        assertThat(zone("\"tzone://Microsoft/Utc\"")).isEqualTo("UTC");
        assertThat(zone("W. Europe Standard Time")).isEqualTo("Europe/Berlin");
        assertThat(zone("\"Eastern Standard Time\"")).isEqualTo("America/New_York");
        assertThat(zone("India Standard Time")).isIn("Asia/Calcutta", "Asia/Kolkata");
        assertThat(zone("/freeassociation.sourceforge.net/Europe/Berlin")).isEqualTo("Europe/Berlin");
        assertThat(zone("/freeassociation.sourceforge.net/Tzfile/America/Argentina/Ushuaia"))
                .isEqualTo("America/Argentina/Ushuaia");
        assertThat(zone("/citadel.org/20210210_1/Europe/Berlin")).isEqualTo("Europe/Berlin");
        assertThat(zone("\"/softwarestudio.org/Olson_20011030_5/America/Chicago\""))
                .isEqualTo("America/Chicago");
        assertThat(zone("/Europe/Stockholm")).isEqualTo("Europe/Stockholm");
        assertThat(zone("posix/Europe/Vaduz")).isEqualTo("Europe/Vaduz");
        for (String none : List.of(
                "Customized Time Zone",
                "tzone://Microsoft/Custom",
                "Europe/Atlantis",
                "+05:30",
                "GMT+2",
                "/a/b",
                "/",
                "//",
                "x".repeat(256),
                "Standard Time/../W. Europe Standard Time")) {
            assertThat(refusal("DTSTART;TZID=\"" + none + "\":20261015T140000"))
                    .isIn("A zone is not known", "The name of a zone is too long");
        }
    }

    @Test
    void aComponentSaysWhereItsZoneIs() {
        String zone = "BEGIN:VTIMEZONE\r\n%s\r\n%s\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:+0900\r\nTZOFFSETTO:+0900\r\n"
                + "DTSTART:19700101T000000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n";
        String event = event("DTSTART;TZID=\"My zone, here\":20261015T140000");
        for (String component : List.of(
                zone.formatted("TZID:My zone\\, here", "X-LIC-LOCATION:Europe/Berlin"),
                zone.formatted("x-lic-location:W. Europe Standard Time", "tzid:My zone\\, here"))) {
            assertThat(zone(calendar(whole(component, event)))).isEqualTo("Europe/Berlin");
            assertThat(zone(calendar(whole(event, component)))).isEqualTo("Europe/Berlin");
        }
        for (String component : List.of("", zone.formatted("TZID:Another", "X-LIC-LOCATION:Europe/Berlin"))) {
            assertThat(CalendarFiles.refusalOf(whole(component, event))).isEqualTo("A zone is not known");
        }
        // A name that is known counts, whatever the component says of it.
        String tokyo = event("DTSTART;TZID=Asia/Tokyo:20261015T140000");
        assertThat(zone(calendar(whole(zone.formatted("TZID:Asia/Tokyo", "X-LIC-LOCATION:Europe/Berlin"), tokyo))))
                .isEqualTo("Asia/Tokyo");
    }

    @Test
    void timesThatNoCalendarHasAreRefused() {
        for (String wrong : List.of(
                "20261315T140000",
                "20260230",
                "20261015T240000",
                "20261015T1400",
                "2026-10-15",
                "20261015T140000ZZ",
                "+0261015",
                "20261015 140000",
                "٢٠٢٦١٠١٥",
                "")) {
            assertThat(refusal("DTSTART:" + wrong)).as(wrong).isEqualTo("A date or time is malformed");
        }
        for (String wrong : List.of("18991231", "00010101T000000Z", "16010101T000000")) {
            assertThat(refusal("DTSTART:" + wrong)).as(wrong).isEqualTo(RANGE);
        }
        assertThat(refusal("DTSTART:99991231T000000", "DURATION:P2D")).isEqualTo(RANGE);
        assertThat(refusal("DTSTART:99991231T230000", "DURATION:PT2H")).isEqualTo(RANGE);
        assertThat(refusal("DTSTART;VALUE=DATE:99991231", "DURATION:P2D")).isEqualTo(RANGE);
        assertThat(refusal("DTSTART;TZID=Asia/Tokyo:99991231T230000", "DTEND:99991231T230000Z"))
                .isEqualTo(RANGE);
        assertThat(refusal("DTSTART;TZID=America/New_York:20261015T140000", "RDATE:19000101T000000Z"))
                .isEqualTo(RANGE);
        assertThat(refusal("DTSTART;TZID=Asia/Tokyo:20261015T140000", "EXDATE:99991231T230000Z"))
                .isEqualTo(RANGE);
    }

    @Test
    void anEndIsATimeALengthOrNothing() {
        assertThat(time(BERLIN, "DTEND;TZID=Europe/Berlin:20261015T150000"))
                .isEqualTo(timed("2026-10-15T14:00", "2026-10-15T15:00", DurationMode.EXACT));
        assertThat(time(BERLIN, "DTEND:20261015T130000Z"))
                .isEqualTo(timed("2026-10-15T14:00", "2026-10-15T15:00", DurationMode.EXACT));
        assertThat(time(BERLIN, "DURATION:PT1H30M"))
                .isEqualTo(timed("2026-10-15T14:00", "2026-10-15T15:30", DurationMode.EXACT));
        assertThat(time(BERLIN, "DURATION:P1W"))
                .isEqualTo(timed("2026-10-15T14:00", "2026-10-22T14:00", DurationMode.NOMINAL));
        assertThat(time(BERLIN, "DURATION:+P1DT2H0M1S"))
                .isEqualTo(timed("2026-10-15T14:00", "2026-10-16T16:00:01", DurationMode.NOMINAL));
        assertThat(time(BERLIN, "DURATION:PT1W"))
                .isEqualTo(timed("2026-10-15T14:00", "2026-10-22T14:00", DurationMode.NOMINAL));
        assertThat(time(BERLIN).durationValue()).isZero();
        assertThat(time(BERLIN, "DTEND;TZID=Europe/Berlin:20261015T140000").durationValue())
                .isZero();
        assertThat(time(BERLIN, "DTEND:20261015T130000Z", "DURATION:PT9H").durationValue())
                .isEqualTo(Duration.ofHours(1).toMillis());
        assertThat(refusal(BERLIN, "DTEND:20261015T115959Z")).isEqualTo("An event ends before it begins");
        assertThat(refusal(BERLIN, "DTEND;TZID=Europe/Berlin:20261015T135959"))
                .isEqualTo("An event ends before it begins");
        assertThat(refusal(BERLIN, "DTEND;VALUE=DATE:20261016")).isEqualTo("Start and end are of two kinds");
        assertThat(refusal(BERLIN, BERLIN)).isEqualTo("DTSTART is there twice");
        assertThat(refusal(BERLIN, "DURATION:PT1H", "DURATION:PT1H")).isEqualTo("DURATION is there twice");
        for (String wrong : List.of("PT", "P", "", "1H", "-PT1H", "P1H", "PT1", "PT1H-1M", "P1Y", "PTT1H", "P1.5D")) {
            assertThat(refusal(BERLIN, "DURATION:" + wrong)).as(wrong).isEqualTo("A length is malformed");
        }
        assertThat(refusal(BERLIN, "DURATION:P999999999W")).isEqualTo("A length is too long");
    }

    @Test
    void theEndOfADayIsTheNext() {
        assertThat(time("DTSTART;VALUE=DATE:20261015", "DTEND;VALUE=DATE:20261018"))
                .isEqualTo(days("2026-10-15", "2026-10-17"));
        assertThat(time("DTSTART;VALUE=DATE:20261015", "DTEND;VALUE=DATE:20261015"))
                .isEqualTo(days("2026-10-15", "2026-10-15"));
        assertThat(time("DTSTART:20261015", "DURATION:P3D")).isEqualTo(days("2026-10-15", "2026-10-17"));
        assertThat(time("DTSTART:20261015", "DURATION:PT48H")).isEqualTo(days("2026-10-15", "2026-10-16"));
        assertThat(time("DTSTART:20261015", "DURATION:P0D")).isEqualTo(days("2026-10-15", "2026-10-15"));
        assertThat(time("DTSTART;TZID=Japan;VALUE=DATE:20261015")).isEqualTo(days("2026-10-15", "2026-10-15"));
        assertThat(time("DTSTART;VALUE=DATE:20261015T000000", "DTEND;VALUE=DATE:20261016T000000"))
                .isEqualTo(days("2026-10-15", "2026-10-15"));
        assertThat(refusal("DTSTART;VALUE=DATE:20261015T140000")).isEqualTo("A day has a time");
        assertThat(refusal("DTSTART:20261015", "DTEND:20261014")).isEqualTo("An event ends before it begins");
        assertThat(refusal("DTSTART:20261015", "DURATION:PT5H")).isEqualTo("An event of days has a length of hours");
    }

    @Test
    void anEndInTheSecondTimeRoundIsItsInstant() {
        EventTime time = time("DTSTART;TZID=Europe/Berlin:20261025T023000", "DTEND:20261025T011500Z");
        assertThat(time.startAt()).isEqualTo(Instant.parse("2026-10-25T00:30:00Z"));
        assertThat(time.endAt()).isEqualTo(Instant.parse("2026-10-25T01:15:00Z"));
        assertThat(time("DTSTART;TZID=Europe/Berlin:20261025T023000", "DURATION:PT45M")
                        .endAt())
                .isEqualTo(time.endAt());
        // The gap moves the start behind the end, which keeps its distance.
        assertThat(time("DTSTART;TZID=Europe/Berlin:20260329T023000", "DTEND;TZID=Europe/Berlin:20260329T030000")
                        .durationValue())
                .isEqualTo(Duration.ofMinutes(30).toMillis());
    }

    @Test
    void aTimeIsLeftOutWhereTheMethodNeedsNone() {
        String noStart = "BEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\n";
        for (String method : List.of("REPLY", "CANCEL", "REFRESH", "DECLINECOUNTER")) {
            assertThat(calendar(whole("METHOD:" + method + "\r\n", noStart))
                            .events()
                            .getFirst()
                            .time())
                    .isNull();
        }
        for (String method : List.of("METHOD:REQUEST\r\n", "METHOD:COUNTER\r\n", "")) {
            assertThat(CalendarFiles.refusalOf(whole(method, noStart)))
                    .isEqualTo("An event does not say when it begins");
        }
    }

    @Test
    void aRuleHasTheFormOfTheCalendar() {
        assertThat(rule(BERLIN, "RRULE:interval=1;freq=weekly;byday=TH, TU;"))
                .isEqualTo("FREQ=WEEKLY;INTERVAL=1;BYDAY=TU,TH");
        assertThat(rule(BERLIN, "RRULE:FREQ=DAILY;UNTIL=20261020T120000Z"))
                .isEqualTo("FREQ=DAILY;UNTIL=20261020T120000Z");
        assertThat(rule(BERLIN, "RRULE:FREQ=DAILY;UNTIL=20261020T140000"))
                .isEqualTo("FREQ=DAILY;UNTIL=20261020T120000Z");
        assertThat(rule(BERLIN, "RRULE:FREQ=DAILY;UNTIL=20261020")).isEqualTo("FREQ=DAILY;UNTIL=20261020T215959Z");
        String day = "DTSTART;VALUE=DATE:20261015";
        assertThat(rule(day, "RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0")).isEqualTo("FREQ=DAILY");
        assertThat(rule(day, "RRULE:FREQ=DAILY;UNTIL=20261020T235959Z")).isEqualTo("FREQ=DAILY;UNTIL=20261020");
        assertThat(rule(day, "RRULE:FREQ=DAILY;UNTIL=20261020T220000Z")).isEqualTo("FREQ=DAILY;UNTIL=20261021");
        for (String wrong : List.of(
                "",
                "FREQ=DAILY;COUNT=0",
                "FREQ=DAILY;COUNT=2;UNTIL=20261020T120000Z",
                "FREQ=DAILY;X-A=1",
                "FREQ=DAILY;UNTIL=18001020T120000Z",
                "FREQ=DAILY;INTERVAL=1000",
                "FREQ=DAILY;BYDAY=" + "MO,".repeat(2_000) + "MO")) {
            assertThat(refusal(BERLIN, "RRULE:" + wrong)).isEqualTo("A rule is malformed or not supported");
        }
        assertThat(refusal(day, "RRULE:FREQ=HOURLY")).isEqualTo("A rule is malformed or not supported");
        assertThat(refusal(BERLIN, "RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY")).isEqualTo("RRULE is there twice");
        assertThat(refusal(BERLIN, "EXRULE:FREQ=DAILY")).isEqualTo("A series has a rule of what is taken out");
    }

    @Test
    void aStartThatTheRuleDoesNotMakeIsADate() {
        ReadEvent event = read(BERLIN, "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2");
        assertThat(event.rdates()).containsExactly(new Recurrence.AddedDate(at("2026-10-15T14:00"), null));
        assertThat(read(BERLIN, "RRULE:FREQ=WEEKLY;BYDAY=TH").rdates()).isEmpty();
        assertThat(read(BERLIN, "RRULE:FREQ=WEEKLY;BYDAY=MO", "RDATE;TZID=Europe/Berlin:20261015T140000")
                        .rdates())
                .hasSize(1);
    }

    @Test
    void datesAreTakenOutHoweverTheyAreWritten() {
        String rule = "RRULE:FREQ=DAILY";
        assertThat(read(
                                BERLIN,
                                rule,
                                "EXDATE;TZID=Europe/Berlin:20261016T140000,20261017T140000",
                                "EXDATE:20261018T140000,")
                        .exdates())
                .containsExactly(at("2026-10-16T14:00"), at("2026-10-17T14:00"), at("2026-10-18T14:00"));
        assertThat(read(BERLIN, rule, "EXDATE:20261026T130000Z", "EXDATE;TZID=Asia/Tokyo:20261016T210000")
                        .exdates())
                .containsExactly(at("2026-10-26T14:00"), at("2026-10-16T14:00"));
        assertThat(read(BERLIN, rule, "EXDATE;VALUE=DATE:20261016").exdates()).containsExactly(at("2026-10-16T14:00"));
        assertThat(read(BERLIN, rule + ";BYHOUR=9,14", "RDATE:20261016T200000", "EXDATE;VALUE=DATE:20261016")
                        .exdates())
                .containsExactlyInAnyOrder(at("2026-10-16T09:00"), at("2026-10-16T14:00"), at("2026-10-16T20:00"));
        String days = "DTSTART;VALUE=DATE:20261015";
        assertThat(read(
                                days,
                                rule,
                                "EXDATE;VALUE=DATE:20261016",
                                "EXDATE:20261017",
                                "EXDATE:20261018T000000Z",
                                "EXDATE:20261018T220000Z",
                                "EXDATE;TZID=America/New_York:20261020T000000")
                        .exdates())
                .containsExactly(
                        at("2026-10-16T00:00"),
                        at("2026-10-17T00:00"),
                        at("2026-10-18T00:00"),
                        at("2026-10-19T00:00"),
                        at("2026-10-20T00:00"));
        // A start in a gap is the instant of a later wall time.
        assertThat(read("DTSTART;TZID=Europe/Berlin:20260320T023000", rule, "EXDATE:20260329T013000Z")
                        .exdates())
                .containsExactlyInAnyOrder(at("2026-03-29T02:30"), at("2026-03-29T03:30"));
    }

    @Test
    void datesAreAddedWithTheirOwnEnds() {
        ReadEvent event = read(
                BERLIN,
                "RDATE;VALUE=PERIOD:20261016T120000Z/20261016T140000Z,20261017T120000Z/PT45M",
                "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261018T090000/20261018T093000",
                "RDATE;VALUE=DATE:20261019",
                "RDATE;TZID=Asia/Tokyo:20261020T210000",
                "RDATE:20261019T140000");
        assertThat(event.rule()).isNull();
        assertThat(event.rdates())
                .containsExactly(
                        added("2026-10-16T14:00", "2026-10-16T16:00", DurationMode.NOMINAL),
                        added("2026-10-17T14:00", "2026-10-17T14:45", DurationMode.EXACT),
                        added("2026-10-18T09:00", "2026-10-18T09:30", DurationMode.NOMINAL),
                        new Recurrence.AddedDate(at("2026-10-19T14:00"), null),
                        new Recurrence.AddedDate(at("2026-10-20T14:00"), null));
        assertThat(read("DTSTART;VALUE=DATE:20261015", "RDATE;VALUE=PERIOD:20261016T000000/20261018T000000")
                        .rdates())
                .containsExactly(new Recurrence.AddedDate(at("2026-10-16T00:00"), null));
        assertThat(refusal(BERLIN, "RDATE;VALUE=PERIOD:20261016T120000Z/20261016T110000Z"))
                .isEqualTo("An event ends before it begins");
        assertThat(refusal(BERLIN, "RDATE;VALUE=PERIOD:20261016T120000Z/")).isEqualTo("A date or time is malformed");
        assertThat(refusal(BERLIN, "RDATE;VALUE=PERIOD:20261016T120000Z/-PT1H"))
                .isEqualTo("A date or time is malformed");
    }

    @Test
    void aThousandDatesAreTaken() {
        String dates = IntStream.range(0, 1_001)
                .mapToObj(i -> "%04d1015T140000".formatted(2_000 + i))
                .collect(Collectors.joining(","));
        for (String name : List.of("EXDATE:", "RDATE:")) {
            assertThat(refusal(BERLIN, name + dates)).isEqualTo("A series has too many dates of its own");
        }
        assertThat(read(BERLIN, "EXDATE:" + dates.substring(0, dates.lastIndexOf(',')))
                        .exdates())
                .hasSize(1_000);
        assertThat(refusal(BERLIN, "RRULE:FREQ=MINUTELY", "EXDATE;VALUE=DATE:20261016"))
                .isEqualTo("A series has too many dates of its own");
    }

    @Test
    void aDateOfASeriesIsNamedInItsOwnWay() {
        assertThat(read(BERLIN, "RECURRENCE-ID:20261015T120000Z").recurrenceId())
                .isEqualTo(moment("2026-10-15T12:00", "UTC"));
        assertThat(read(BERLIN, "RECURRENCE-ID;VALUE=DATE:20261015").recurrenceId())
                .isEqualTo(days("2026-10-15", "2026-10-15"));
        ReadEvent date = read(BERLIN, "RECURRENCE-ID:20261015T140000", "RRULE:FREQ=DAILY", "EXDATE:20261016T140000");
        assertThat(date.recurrenceId()).isEqualTo(moment("2026-10-15T14:00", ZONE.getId()));
        assertThat(date.rule()).isNull();
        assertThat(date.exdates()).isEmpty();
        for (String range : List.of("THISANDFUTURE", "thisandprior")) {
            assertThat(refusal(BERLIN, "RECURRENCE-ID;RANGE=" + range + ":20261015T140000"))
                    .isEqualTo("A change is of a date and those that follow");
        }
    }

    @Test
    void aSeriesEndsAtOneTimeOnTheWall() {
        assertThat(time(BERLIN, "DTEND;TZID=Europe/Berlin:20261015T150000", "RRULE:FREQ=DAILY")
                        .mode())
                .isEqualTo(DurationMode.NOMINAL);
        assertThat(time(BERLIN, "DURATION:PT1H", "RRULE:FREQ=DAILY").mode()).isEqualTo(DurationMode.EXACT);
        assertThat(time(BERLIN, "DTEND:20261015T130000Z", "RRULE:FREQ=DAILY").mode())
                .isEqualTo(DurationMode.EXACT);
    }

    private static EventTime time(String... lines) {
        return Objects.requireNonNull(read(lines).time());
    }

    private static String rule(String... lines) {
        return Objects.requireNonNull(read(lines).rule()).text();
    }

    private static String zone(String name) {
        return time("DTSTART;TZID=" + name + ":20261015T140000").zone().getId();
    }

    private static String zone(ReadResult.Calendar calendar) {
        return Objects.requireNonNull(calendar.events().getFirst().time())
                .zone()
                .getId();
    }

    private static LocalDateTime at(String text) {
        return LocalDateTime.parse(text);
    }

    private static EventTime moment(String at, String zone) {
        return new EventTime(false, at(at), at(at), ZoneId.of(zone), DurationMode.EXACT);
    }

    private static EventTime timed(String start, String end, DurationMode mode) {
        return new EventTime(false, at(start), at(end), ZONE, mode);
    }

    private static Recurrence.AddedDate added(String start, String end, DurationMode mode) {
        return new Recurrence.AddedDate(at(start), timed(start, end, mode));
    }

    private static EventTime days(String first, String last) {
        return new EventTime(true, at(first + "T00:00"), at(last + "T00:00"), ZONE, DurationMode.NOMINAL);
    }
}
