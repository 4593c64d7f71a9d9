package dev.inboxd.mail.recurrence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wall times of zones whose clocks go forward and back, by half an hour, at midnight, and by a whole day. */
class EventTimeTest {
    private static final String NEW_YORK = "America/New_York";

    @ParameterizedTest
    @CsvSource({
        // zone, wall time, as shown, instant
        "America/New_York, 2026-03-08T01:59:59, 2026-03-08T01:59:59, 2026-03-08T06:59:59Z",
        "America/New_York, 2026-03-08T02:30, 2026-03-08T03:30, 2026-03-08T07:30:00Z",
        "America/New_York, 2026-03-08T03:00, 2026-03-08T03:00, 2026-03-08T07:00:00Z",
        "America/New_York, 2026-11-01T01:30, 2026-11-01T01:30, 2026-11-01T05:30:00Z",
        "America/New_York, 2026-11-01T02:00, 2026-11-01T02:00, 2026-11-01T07:00:00Z",
        "US/Eastern, 2026-11-01T01:30, 2026-11-01T01:30, 2026-11-01T05:30:00Z",
        "Europe/Berlin, 2026-03-29T02:30, 2026-03-29T03:30, 2026-03-29T01:30:00Z",
        "Europe/Berlin, 2026-10-25T02:30, 2026-10-25T02:30, 2026-10-25T00:30:00Z",
        "Australia/Lord_Howe, 2026-10-04T02:15, 2026-10-04T02:45, 2026-10-03T15:45:00Z",
        "Australia/Lord_Howe, 2026-04-05T01:45, 2026-04-05T01:45, 2026-04-04T14:45:00Z",
        "Pacific/Apia, 2011-12-29T23:59:59, 2011-12-29T23:59:59, 2011-12-30T09:59:59Z",
        "Pacific/Apia, 2011-12-30T10:00, 2011-12-31T10:00, 2011-12-30T20:00:00Z",
        "Pacific/Apia, 2011-12-31T00:00, 2011-12-31T00:00, 2011-12-30T10:00:00Z",
        "Africa/Casablanca, 2025-02-23T02:30, 2025-02-23T02:30, 2025-02-23T01:30:00Z",
        "Africa/Casablanca, 2025-04-06T02:30, 2025-04-06T03:30, 2025-04-06T02:30:00Z",
        "America/Sao_Paulo, 2018-11-04T00:30, 2018-11-04T01:30, 2018-11-04T03:30:00Z",
        "America/Sao_Paulo, 2018-02-17T23:30, 2018-02-17T23:30, 2018-02-18T01:30:00Z",
        "UTC, 1900-01-01T00:00, 1900-01-01T00:00, 1900-01-01T00:00:00Z",
        "UTC, 9999-12-31T23:59:59, 9999-12-31T23:59:59, 9999-12-31T23:59:59Z",
        "+05:30, 2026-01-01T00:00, 2026-01-01T00:00, 2025-12-31T18:30:00Z",
    })
    void aStartInAGapMovesLaterAndInAnOverlapIsTheEarlierOne(
            String zone, LocalDateTime wall, LocalDateTime shown, Instant instant) {
        EventTime time = timed(zone, wall, wall.plusSeconds(1), DurationMode.EXACT);
        assertThat(time.startAt()).isEqualTo(instant);
        assertThat(time.shownStart()).isEqualTo(shown);
        assertThat(time.start()).isEqualTo(wall);
    }

    @ParameterizedTest
    @CsvSource({
        // zone, first day, last day, from, to, days
        "Europe/Berlin, 2026-10-25, 2026-10-25, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z, 1",
        "America/New_York, 2026-03-07, 2026-03-08, 2026-03-07T05:00:00Z, 2026-03-09T04:00:00Z, 2",
        "Australia/Lord_Howe, 2026-10-04, 2026-10-04, 2026-10-03T13:30:00Z, 2026-10-04T13:00:00Z, 1",
        "Africa/Casablanca, 2025-02-23, 2025-02-23, 2025-02-22T23:00:00Z, 2025-02-24T00:00:00Z, 1",
        // Midnight is missing: the day begins at one o'clock, and so the day before ends there.
        "America/Sao_Paulo, 2018-11-04, 2018-11-04, 2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z, 1",
        "America/Sao_Paulo, 2018-11-03, 2018-11-03, 2018-11-03T03:00:00Z, 2018-11-04T03:00:00Z, 1",
        // Midnight comes twice.
        "America/Havana, 2026-11-01, 2026-11-01, 2026-11-01T04:00:00Z, 2026-11-02T05:00:00Z, 1",
        // 30 December 2011 does not exist.
        "Pacific/Apia, 2011-12-29, 2011-12-31, 2011-12-29T10:00:00Z, 2011-12-31T10:00:00Z, 3",
        "Pacific/Apia, 2011-12-30, 2011-12-30, 2011-12-30T10:00:00Z, 2011-12-30T10:00:00Z, 1",
        "UTC, 9999-12-31, 9999-12-31, 9999-12-31T00:00:00Z, +10000-01-01T00:00:00Z, 1",
    })
    void anAllDayEventLastsFromTheFirstMomentToThatAfterTheLastDay(
            String zone, LocalDate first, LocalDate last, Instant from, Instant to, long days) {
        EventTime time =
                new EventTime(true, first.atStartOfDay(), last.atStartOfDay(), ZoneId.of(zone), DurationMode.NOMINAL);
        assertThat(time.startAt()).isEqualTo(from);
        assertThat(time.endAt()).isEqualTo(to);
        assertThat(time.durationValue()).isEqualTo(days);
        assertThat(time.shownStart().toLocalDate()).isEqualTo(first);
        assertThat(time.shownEnd().toLocalDate()).isEqualTo(last);
    }

    @Test
    void anExactLengthIsTheElapsedOneAndANominalOneTheWalls() {
        LocalDateTime start = LocalDateTime.parse("2026-10-31T20:00");
        EventTime exact = timed(NEW_YORK, start, start.plusHours(12), DurationMode.EXACT);
        assertThat(exact.durationValue()).isEqualTo(Duration.ofHours(13).toMillis());
        EventTime moved = exact.at(start.plusDays(7));
        assertThat(moved.durationValue()).isEqualTo(exact.durationValue());
        assertThat(moved.shownEnd()).isEqualTo("2026-11-08T09:00");

        EventTime nominal = timed(NEW_YORK, start, start.plusHours(12), DurationMode.NOMINAL);
        assertThat(nominal.durationValue()).isEqualTo(exact.durationValue());
        assertThat(nominal.at(start.plusDays(7)).shownEnd()).isEqualTo("2026-11-08T08:00");
        assertThat(nominal.at(start.plusDays(7)).durationValue())
                .isEqualTo(Duration.ofHours(12).toMillis());
    }

    @ParameterizedTest
    @CsvSource({
        "America/New_York, 2026-11-01T01:30, 01:30, PT1H",
        "America/New_York, 2026-11-01T00:45, 01:15, PT1H30M",
        "America/New_York, 2026-11-01T00:45, 01:15, PT30M",
        "America/New_York, 2026-11-01T01:59:59, 01:00, PT1S",
        "Australia/Lord_Howe, 2026-04-05T01:45, 01:45, PT30M",
        "America/New_York, 2026-03-08T02:30, 04:30, PT1H",
        "America/New_York, 2026-03-08T01:30, 03:30, PT1H",
    })
    void anExactLengthIsKeptWhereWallTimesComeTwiceOrAreMissing(
            String zone, LocalDateTime start, String end, Duration length) {
        LocalDateTime plain = LocalDateTime.parse("2026-06-15T12:00");
        EventTime time =
                timed(zone, plain, plain.plus(length), DurationMode.EXACT).at(start);
        assertThat(Duration.between(time.startAt(), time.endAt())).isEqualTo(length);
        assertThat(time.shownEnd().toLocalTime()).hasToString(end);
        // And from there to a day without a change of the clocks.
        EventTime back = time.at(plain);
        assertThat(back.end()).isEqualTo(plain.plus(length));
    }

    @Test
    void anEventWhoseStartMovesPastItsEndKeepsItsLengthOrHasNone() {
        LocalDateTime start = LocalDateTime.parse("2026-03-08T02:15");
        EventTime exact = timed(NEW_YORK, start, start.plusMinutes(45), DurationMode.EXACT);
        assertThat(exact.startAt()).isEqualTo("2026-03-08T07:15:00Z");
        assertThat(exact.endAt()).isEqualTo("2026-03-08T08:00:00Z");
        EventTime nominal = timed(NEW_YORK, start, start.plusMinutes(45), DurationMode.NOMINAL);
        assertThat(nominal.endAt()).isEqualTo(nominal.startAt());
        assertThat(nominal.shownEnd()).isEqualTo(nominal.shownStart());
        assertThat(timed(NEW_YORK, start, start, DurationMode.EXACT).durationValue())
                .isZero();
    }

    @Test
    void everyMinuteAroundAChangeHasALengthThatIsNotNegative() {
        for (String zone : new String[] {NEW_YORK, "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia"}) {
            for (String day : new String[] {"2026-03-07", "2026-04-04", "2026-10-03", "2026-10-31", "2011-12-29"}) {
                LocalDateTime from = LocalDate.parse(day).atStartOfDay();
                for (int minute = 0; minute < 3 * 24 * 60; minute += 7) {
                    LocalDateTime start = from.plusMinutes(minute);
                    for (DurationMode mode : DurationMode.values()) {
                        EventTime time = timed(zone, start, start.plusMinutes(50), mode);
                        assertThat(time.endAt()).as("%s", time).isAfterOrEqualTo(time.startAt());
                        EventTime exact =
                                timed(zone, from.minusDays(9), from.minusDays(9).plusMinutes(50), mode);
                        assertThat(exact.at(start).endAt())
                                .isAfterOrEqualTo(exact.at(start).startAt());
                        if (mode == DurationMode.EXACT) {
                            assertThat(exact.at(start).durationValue()).isEqualTo(exact.durationValue());
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "t20261007T090000, 2026-10-07T09:00, false",
        "d20261007, 2026-10-07T00:00, true",
        "t19000101T000000, 1900-01-01T00:00, false",
        "d99991231, 9999-12-31T00:00, true",
        "d20240229, 2024-02-29T00:00, true",
    })
    void aSlotIsReadAndWritten(String text, LocalDateTime at, boolean allDay) {
        assertThat(Slot.parse(text)).isEqualTo(new Slot(at, allDay)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "t",
        "d",
        "t20261007",
        "d20261007T090000",
        "20261007",
        "T20261007T090000",
        "D20261007",
        "t20261007t090000",
        "t20261007T090000Z",
        "t20261007T240000",
        "t20261007T096000",
        "t20261007T090060",
        "d20260229",
        "d20261301",
        "d20261000",
        "d18991231",
        "d00000101",
        "d-2026101",
        "d+2026101",
        "'d20261007 '",
        "' d20261007'",
        "d2026-107",
        "d2026１007",
        "d٢٠٢٦١٠٠٧",
        "d120261007",
    })
    void anythingElseIsNoSlot(String text) {
        assertThat(Slot.parse(text)).isNull();
    }

    private static EventTime timed(String zone, LocalDateTime start, LocalDateTime end, DurationMode mode) {
        return new EventTime(false, start, end, ZoneId.of(zone), mode);
    }
}
