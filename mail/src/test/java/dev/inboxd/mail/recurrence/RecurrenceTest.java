package dev.inboxd.mail.recurrence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.mail.recurrence.Recurrence.AddedDate;
import dev.inboxd.mail.recurrence.Recurrence.Occurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Series: rules with dates added and taken out, in windows, by slots, and to their ends. */
class RecurrenceTest {
    private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
    private static final LocalDateTime START = LocalDateTime.parse("2026-10-05T09:00");

    @Test
    void datesAreThoseOfTheRuleAndTheAddedOnesWithoutThoseTakenOut() {
        LocalDateTime added = START.plusDays(2).plusHours(5);
        EventTime own = hours(START.plusDays(7), 3);
        Recurrence series = new Recurrence(
                hours(START, 1),
                rule("FREQ=WEEKLY;COUNT=4"),
                Set.of(START.plusDays(14), START.plusDays(100)),
                List.of(
                        new AddedDate(START.plusDays(21), null),
                        new AddedDate(START.plusDays(7), null),
                        new AddedDate(START.plusDays(7), own),
                        new AddedDate(added, null),
                        new AddedDate(added, null),
                        new AddedDate(START.plusDays(100), null),
                        new AddedDate(START.minusDays(3), null)),
                null);
        assertThat(slots(series.from(START.minusYears(1))))
                .containsExactly(
                        "t20261002T090000",
                        "t20261005T090000",
                        "t20261007T140000",
                        "t20261012T090000",
                        "t20261026T090000");
        assertThat(series.at(slot(START.plusDays(7))).orElseThrow().time()).isEqualTo(own);
        assertThat(series.at(slot(added)).orElseThrow().time()).isEqualTo(hours(added, 1));
        assertThat(slots(series.from(added.plusSeconds(1)))).containsExactly("t20261012T090000", "t20261026T090000");
    }

    @Test
    void aSlotIsOneOrWasOneOrNeverWas() {
        Recurrence series = series("FREQ=WEEKLY").without(slot(START.plusDays(7)));
        assertThat(series.at(slot(START))).isPresent();
        assertThat(series.at(slot(START.plusDays(7)))).isEmpty();
        assertThat(series.makes(slot(START.plusDays(7)))).isTrue();
        assertThat(series.makes(slot(START.plusDays(8)))).isFalse();
        assertThat(series.makes(slot(START.minusDays(7)))).isFalse();
        assertThat(series.makes(new Slot(START.plusDays(7).toLocalDate().atStartOfDay(), true)))
                .isFalse();
        assertThat(series.makes(slot(LocalDateTime.parse("9999-12-27T09:00")))).isTrue();
        Recurrence cut = truncated(series, START.plusDays(21));
        assertThat(slots(cut.from(START))).containsExactly("t20261005T090000", "t20261019T090000");
        assertThat(cut.makes(slot(START.plusDays(21)))).isTrue();
        assertThat(cut.at(slot(START.plusDays(21)))).isEmpty();
    }

    @Test
    void anAllDaySeriesHasSlotsOfDays() throws RuleSyntaxException {
        LocalDateTime day = START.toLocalDate().atStartOfDay();
        EventTime first = new EventTime(true, day, day.plusDays(1), NEW_YORK, DurationMode.NOMINAL);
        RecurrenceRule rule = RecurrenceRule.parse("FREQ=DAILY;INTERVAL=3;UNTIL=20261011", true, false);
        Recurrence series = new Recurrence(first, rule, Set.of(), List.of(), null);
        assertThat(slots(series.from(day))).containsExactly("d20261005", "d20261008", "d20261011");
        assertThat(series.last().orElseThrow().time().shownEnd()).isEqualTo("2026-10-12T00:00");
        // The second of two days runs at noon; so does what began on it.
        Instant noon = Instant.parse("2026-10-09T16:00:00Z");
        assertThat(slots(series.in(noon, noon.plusSeconds(60), true))).containsExactly("d20261008");
        assertThat(slots(series.in(noon, noon.plusSeconds(60), false))).isEmpty();
    }

    @Test
    void aWindowHasItsFirstInstantAndNotItsLast() {
        Recurrence series = series("FREQ=DAILY");
        Instant first = hours(START.plusDays(1), 1).startAt();
        Instant second = hours(START.plusDays(2), 1).startAt();
        assertThat(slots(series.in(first, second, true))).containsExactly("t20261006T090000");
        assertThat(slots(series.in(first.plusMillis(1), second.plusMillis(1), false)))
                .containsExactly("t20261007T090000");
        assertThat(slots(series.in(first.plusMillis(1), second, true))).containsExactly("t20261006T090000");
        assertThat(slots(series.in(first.plus(Duration.ofHours(1)), second, true)))
                .isEmpty();
        assertThat(slots(series.in(Instant.MIN, hours(START, 1).startAt(), true)))
                .isEmpty();
    }

    @Test
    void whatRunsAtTheBeginningOfAWindowMayHaveBegunAMonthBefore() {
        Recurrence series = new Recurrence(
                hours(START, 31 * 24),
                rule("FREQ=DAILY;COUNT=100"),
                Set.of(),
                List.of(new AddedDate(START.minusDays(20), hours(START.minusDays(20), 21 * 24))),
                null);
        Instant at = hours(START, 1).startAt().plusSeconds(1);
        assertThat(slots(series.in(at, at.plusSeconds(1), true)))
                .containsExactly("t20260915T090000", "t20261005T090000");
        Instant later = hours(START.plusDays(50), 1).startAt().plusSeconds(1);
        assertThat(slots(series.in(later, later.plusSeconds(1), true))).hasSize(31);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca"})
    void aWindowAcrossChangesOfTheClocksHasEachDateOnceInOrder(String id) {
        ZoneId zone = ZoneId.of(id);
        for (String day : List.of("2011-12-29", "2025-02-22", "2025-04-05", "2026-03-07", "2026-04-04", "2026-10-31")) {
            LocalDateTime start = LocalDateTime.parse(day + "T22:00");
            EventTime first = new EventTime(false, start, start.plusMinutes(40), zone, DurationMode.EXACT);
            Recurrence series =
                    new Recurrence(first, rule("FREQ=MINUTELY;INTERVAL=20;COUNT=200"), Set.of(), List.of(), null);
            List<Occurrence> all = new ArrayList<>();
            series.from(start).forEachRemaining(all::add);
            all.sort(Comparator.comparing((Occurrence date) -> date.time().startAt())
                    .thenComparing(date -> date.slot().at()));
            Instant from = first.startAt();
            Instant end = from.plus(Duration.ofDays(4));
            List<Occurrence> found = new ArrayList<>();
            series.in(from, end, true).forEachRemaining(found::add);
            assertThat(found).isEqualTo(all);
            // In pieces, each date is in one.
            found.clear();
            for (Instant at = from; at.isBefore(end); at = at.plusSeconds(1500)) {
                series.in(at, at.plusSeconds(1500), false).forEachRemaining(found::add);
            }
            assertThat(found).isEqualTo(all);
        }
    }

    @Test
    void untilIsAnInstantAndIncluded() {
        assertThat(slots(series("FREQ=DAILY;UNTIL=20261006T130000Z").from(START)))
                .containsExactly("t20261005T090000", "t20261006T090000");
        assertThat(slots(series("FREQ=DAILY;UNTIL=20261006T125959Z").from(START)))
                .containsExactly("t20261005T090000");
        // 02:30 becomes 03:30 there, and 03:00 does not: the one is too late, the other is not.
        LocalDateTime start = LocalDateTime.parse("2026-03-08T02:30");
        RecurrenceRule rule = rule("FREQ=MINUTELY;INTERVAL=30;UNTIL=20260308T071500Z");
        Recurrence series = new Recurrence(hours(start, 1), rule, Set.of(), List.of(), null);
        assertThat(slots(series.from(start))).containsExactly("t20260308T030000");
        assertThat(series.makesStart()).isFalse();
    }

    @Test
    void aSeriesMayHaveNoDatesOrNotItsStart() {
        assertThat(series("FREQ=DAILY").makesStart()).isTrue();
        assertThat(series("FREQ=DAILY;BYDAY=TU").makesStart()).isFalse();
        assertThat(series("FREQ=DAILY;BYDAY=TU").hasDates()).isTrue();
        assertThat(series("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30").hasDates()).isFalse();
        assertThat(series("FREQ=DAILY;UNTIL=20260101T000000Z").hasDates()).isFalse();
        Recurrence one = series("FREQ=DAILY;COUNT=1");
        assertThat(one.without(slot(START)).hasDates()).isFalse();
        assertThat(one.without(slot(START)).makesStart()).isTrue();
        assertThat(one.without(slot(START)).from(START).hasNext()).isFalse();
        Iterator<Occurrence> none = one.without(slot(START)).in(Instant.EPOCH, Instant.MAX, true);
        assertThatThrownBy(none::next).isInstanceOf(NoSuchElementException.class);
        // The next would be 366 years away, which is too far to look.
        assertThat(slots(series("FREQ=YEARLY;INTERVAL=366").from(START))).containsExactly("t20261005T090000");
    }

    @ParameterizedTest
    @CsvSource({
        "FREQ=DAILY, ''",
        "FREQ=DAILY;COUNT=10000, t20540219T090000",
        "FREQ=DAILY;UNTIL=20261231T000000Z, t20261230T090000",
        "FREQ=MONTHLY;BYMONTHDAY=31;UNTIL=99991231T235959Z, t99991231T090000",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=21060101T000000Z, t21040229T090000",
        "FREQ=SECONDLY;UNTIL=20270101T045900Z, t20261231T235900",
        "FREQ=YEARLY;INTERVAL=40;UNTIL=25000101T000000Z, t24661005T090000",
        "FREQ=DAILY;UNTIL=20260101T000000Z, ''",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231T235959Z, ''",
    })
    void aSeriesThatEndsHasALastDate(String text, String last) {
        assertThat(series(text).last().map(date -> date.slot().toString()).orElse(""))
                .isEqualTo(last);
    }

    @Test
    void whatIsTakenOutOrAddedIsSeenAtTheEnd() {
        assertThat(truncated(series("FREQ=DAILY"), START.plusDays(9)).last().map(Occurrence::slot))
                .hasValue(slot(START.plusDays(8)));
        Recurrence series = series("FREQ=WEEKLY;COUNT=3").without(slot(START.plusDays(14)));
        assertThat(series.last().map(Occurrence::slot)).hasValue(slot(START.plusDays(7)));
        Recurrence more = new Recurrence(
                series.first(), series.rule(), Set.of(), List.of(new AddedDate(START.plusYears(2), null)), null);
        assertThat(more.last().map(Occurrence::slot)).hasValue(slot(START.plusYears(2)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FREQ=DAILY;BYHOUR=0,3,6,9,12,15,18,21 | false",
                "FREQ=DAILY;BYHOUR=0,2,4,6,9,12,15,18,21 | true",
                "FREQ=HOURLY;COUNT=730 | false",
                "FREQ=HOURLY;COUNT=731 | true",
                "FREQ=SECONDLY | true",
                "FREQ=SECONDLY;COUNT=730 | false",
                "FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,1,2,3,4,5,6,7,8,9 | false",
                "FREQ=YEARLY;INTERVAL=3;BYMONTH=10;BYDAY=MO;BYMINUTE=0,1,2,3,4,5,6,7,8,9;"
                        + "BYSECOND=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20 | true",
                "FREQ=YEARLY;INTERVAL=6;BYMONTH=10;BYMONTHDAY=6;BYHOUR=1,2;BYMINUTE=0,1,2,3,4,5,6,7,8,9;"
                        + "BYSECOND=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,"
                        + "31,32,33,34,35,36 | false",
            })
    void moreThan730DatesIn90DaysAreTooDense(String text, boolean dense) {
        LocalDateTime start = START.toLocalDate().atStartOfDay();
        Recurrence series = new Recurrence(hours(start, 1), rule(text), Set.of(), List.of(), null);
        // The last one is dense from its second year on, six years later, where nobody looks.
        assertThat(series.isTooDense()).isEqualTo(dense);
    }

    @Test
    void densityCountsAddedDatesAndNotThoseTakenOut() {
        List<AddedDate> added = IntStream.range(0, 2)
                .mapToObj(i -> new AddedDate(START.plusDays(i + 1).plusMinutes(1), null))
                .toList();
        Recurrence full = series("FREQ=DAILY;COUNT=90;BYHOUR=9;BYMINUTE=0,2,4,6,8,10,12,14");
        RecurrenceRule rule = rule("FREQ=DAILY;COUNT=729;BYHOUR=9;BYMINUTE=0,2,4,6,8,10,12,14,16");
        assertThat(full.isTooDense()).isFalse();
        Recurrence more = new Recurrence(full.first(), rule, Set.of(), added, null);
        assertThat(more.isTooDense()).isTrue();
        assertThat(more.without(slot(START)).isTooDense()).isFalse();
    }

    @Test
    void aYearAfterTheLastOfTheCalendarHasNoDates() {
        LocalDateTime start = LocalDateTime.parse("9999-12-30T23:30");
        Recurrence series = new Recurrence(hours(start, 1), rule("FREQ=DAILY"), Set.of(), List.of(), null);
        assertThat(slots(series.from(start))).containsExactly("t99991230T233000");
        assertThat(slots(series.in(Instant.parse("9999-12-01T00:00:00Z"), Instant.MAX, true)))
                .containsExactly("t99991230T233000");
    }

    private static Recurrence series(String rule) {
        return new Recurrence(hours(START, 1), rule(rule), Set.of(), List.of(), null);
    }

    private static Recurrence truncated(Recurrence series, LocalDateTime before) {
        return new Recurrence(series.first(), series.rule(), series.exdates(), series.rdates(), before);
    }

    private static EventTime hours(LocalDateTime start, int hours) {
        return new EventTime(false, start, start.plusHours(hours), NEW_YORK, DurationMode.NOMINAL);
    }

    private static Slot slot(LocalDateTime at) {
        return new Slot(at, false);
    }

    private static RecurrenceRule rule(String text) {
        try {
            return RecurrenceRule.parse(text, false, false);
        } catch (RuleSyntaxException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static List<String> slots(Iterator<Occurrence> dates) {
        List<String> slots = new ArrayList<>();
        dates.forEachRemaining(date -> slots.add(date.slot().toString()));
        return slots;
    }
}
