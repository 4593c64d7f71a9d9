package dev.inboxd.mail.recurrence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dates and rules as other calendars write them. */
class NamedDatesTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource({
        "2026-10-16T14:00, Europe/Berlin, t20261016T140000",
        "2026-10-16T12:00, UTC, t20261016T140000",
        "2026-10-16T21:00, Asia/Tokyo, t20261016T140000",
        "2026-11-16T13:00, UTC, t20261116T140000",
        "2026-10-16, Europe/Berlin, t20261016T140000",
        "2026-10-16, Asia/Tokyo, t20261016T140000",
        "2026-10-18T20:00, Europe/Berlin, t20261018T200000",
        "2026-10-16T14:01, Europe/Berlin, none",
        "2026-10-16T14:00, UTC, none",
        "2026-10-14, Europe/Berlin, none",
    })
    void aDateOfASeriesWithTimesIsFound(String name, String zone, String slot) throws RuleSyntaxException {
        Recurrence series = new Recurrence(
                timed("2026-10-15T14:00"),
                RecurrenceRule.parse("FREQ=DAILY", false, false),
                Set.of(LocalDateTime.parse("2026-10-16T14:00")),
                List.of(new Recurrence.AddedDate(LocalDateTime.parse("2026-10-18T20:00"), null)),
                LocalDateTime.parse("2026-10-17T00:00"));
        assertThat(series.named(named(name, zone)).map(Slot::toString).orElse("none"))
                .isEqualTo(slot);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-10-16, Europe/Berlin, d20261016",
        "2026-10-16, Asia/Tokyo, d20261016",
        "2026-10-15T22:00, UTC, d20261016",
        "2026-10-16T00:00, UTC, d20261016",
        "2026-10-16T00:00, America/New_York, d20261016",
        "2026-10-16T14:00, UTC, d20261016",
        "2026-10-14, Europe/Berlin, none",
    })
    void aDateOfAnAllDaySeriesIsFound(String name, String zone, String slot) throws RuleSyntaxException {
        Recurrence series = new Recurrence(
                named("2026-10-15", "Europe/Berlin"),
                RecurrenceRule.parse("FREQ=DAILY", true, false),
                Set.of(),
                List.of(),
                null);
        assertThat(series.named(named(name, zone)).map(Slot::toString).orElse("none"))
                .isEqualTo(slot);
    }

    @Test
    void aStartInAGapIsFoundByItsInstant() throws RuleSyntaxException {
        Recurrence series = new Recurrence(
                timed("2026-03-20T02:30"), RecurrenceRule.parse("FREQ=DAILY", false, false), Set.of(), List.of(), null);
        assertThat(series.named(named("2026-03-29T01:30", "UTC")).map(Slot::toString))
                .contains("t20260329T023000");
        assertThat(series.named(named("2026-03-29T02:30", "Europe/Berlin")).map(Slot::toString))
                .contains("t20260329T023000");
        assertThat(timed("2026-03-20T02:30").starts(named("2026-03-29T02:30", "UTC")))
                .containsExactly(LocalDateTime.parse("2026-03-29T04:30"));
    }

    @Test
    void oneOfSeveralDatesOfADayIsTheFirst() throws RuleSyntaxException {
        RecurrenceRule rule = RecurrenceRule.parse("FREQ=DAILY;BYHOUR=9,14", false, false);
        Recurrence series = new Recurrence(timed("2026-10-15T14:00"), rule, Set.of(), List.of(), null);
        assertThat(series.named(named("2026-10-16", "Europe/Berlin")).map(Slot::toString))
                .contains("t20261016T090000");
        assertThat(rule.repeatsWithinDay()).isTrue();
        assertThat(RecurrenceRule.parse("FREQ=DAILY", false, false).repeatsWithinDay())
                .isFalse();
        assertThat(RecurrenceRule.parse("FREQ=HOURLY", false, false).repeatsWithinDay())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "FREQ=DAILY;UNTIL=20261020T120000Z, FREQ=DAILY;UNTIL=20261020T120000Z",
        "FREQ=DAILY;UNTIL=20261020T140000, FREQ=DAILY;UNTIL=20261020T120000Z",
        "FREQ=DAILY;UNTIL=20261120, FREQ=DAILY;UNTIL=20261120T225959Z",
        "FREQ=DAILY;UNTIL=99991231, FREQ=DAILY;UNTIL=99991231T225959Z",
        "FREQ=DAILY; BYHOUR = 9, FREQ=DAILY;BYHOUR=9",
    })
    void aRuleOfMailHasUntilInUtc(String mailed, String normal) throws RuleSyntaxException {
        assertThat(RecurrenceRule.parseMailed(mailed, timed("2026-10-15T14:00")))
                .hasToString(normal);
        assertThat(RecurrenceRule.parse(normal, false, false)).hasToString(normal);
    }

    @ParameterizedTest
    @CsvSource({
        "FREQ=DAILY;UNTIL=20261020, FREQ=DAILY;UNTIL=20261020",
        "FREQ=DAILY;UNTIL=20261020T220000Z, FREQ=DAILY;UNTIL=20261021",
        "FREQ=DAILY;UNTIL=20261020T000000Z, FREQ=DAILY;UNTIL=20261020",
        "FREQ=DAILY;UNTIL=20261020T220000, FREQ=DAILY;UNTIL=20261020",
        "FREQ=DAILY;BYHOUR=9;BYSETPOS=1, FREQ=DAILY",
    })
    void aRuleOfDaysHasADayForUntil(String mailed, String normal) throws RuleSyntaxException {
        assertThat(RecurrenceRule.parseMailed(mailed, named("2026-10-15", "Europe/Berlin")))
                .hasToString(normal);
        assertThat(RecurrenceRule.parse(normal, true, false)).hasToString(normal);
    }

    @Test
    void anUntilBeyondTheYearsOfCalendarsIsAtTheirEnd() throws RuleSyntaxException {
        EventTime newYork = named("2026-10-15T14:00", "America/New_York");
        assertThat(RecurrenceRule.parseMailed("FREQ=DAILY;UNTIL=99991231", newYork))
                .hasToString("FREQ=DAILY;UNTIL=99991231T235959Z");
        assertThatThrownBy(() -> RecurrenceRule.parseMailed("FREQ=DAILY;UNTIL=18991231", newYork))
                .isInstanceOf(RuleSyntaxException.class);
    }

    @Test
    void anEndIsAnInstantInTheSecondTimeRoundToo() {
        LocalDateTime start = LocalDateTime.parse("2026-10-25T02:30");
        Instant end = Instant.parse("2026-10-25T01:15:00Z");
        EventTime time = EventTime.until(end, start, BERLIN, DurationMode.EXACT);
        assertThat(time.endAt()).isEqualTo(end);
        assertThat(time.start()).isEqualTo(start);
        assertThat(EventTime.until(end.plusSeconds(7_200), start, BERLIN, DurationMode.EXACT)
                        .end())
                .isEqualTo(LocalDateTime.parse("2026-10-25T04:15"));
    }

    private static EventTime timed(String start) {
        return named(start, "Europe/Berlin");
    }

    /** A day where there is no time of day. */
    private static EventTime named(String at, String zone) {
        boolean isDay = at.indexOf('T') < 0;
        LocalDateTime start = LocalDateTime.parse(isDay ? at + "T00:00" : at);
        return new EventTime(isDay, start, start, ZoneId.of(zone), DurationMode.NOMINAL);
    }
}
