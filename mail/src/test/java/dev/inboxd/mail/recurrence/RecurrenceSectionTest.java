package dev.inboxd.mail.recurrence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A section of a series makes what the series makes there. */
class RecurrenceSectionTest {
    private static final LocalDateTime START = LocalDateTime.of(2026, 1, 31, 9, 30);
    private static final List<String> RULES = List.of(
            "FREQ=DAILY",
            "FREQ=DAILY;INTERVAL=3;COUNT=40",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,TU;WKST=SU",
            "FREQ=WEEKLY;INTERVAL=3;COUNT=30;BYDAY=MO,SA",
            "FREQ=MONTHLY",
            "FREQ=MONTHLY;BYMONTHDAY=-1",
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=5SA",
            "FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=-2,-1",
            "FREQ=YEARLY;BYWEEKNO=5,20",
            "FREQ=YEARLY;BYDAY=5SA;UNTIL=20320101T000000Z",
            "FREQ=YEARLY;BYMONTH=1,3;BYMONTHDAY=31;COUNT=7",
            "FREQ=YEARLY;BYYEARDAY=31,-31",
            "FREQ=HOURLY;INTERVAL=31;COUNT=500",
            "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30;COUNT=200");

    private static EventTime time(String zone) {
        return new EventTime(false, START, START.plusHours(1), ZoneId.of(zone), DurationMode.NOMINAL);
    }

    private static List<LocalDateTime> starts(Recurrence series, LocalDateTime from, LocalDateTime until) {
        List<LocalDateTime> starts = new ArrayList<>();
        for (Iterator<Recurrence.Occurrence> dates = series.from(from); dates.hasNext(); ) {
            LocalDateTime start = dates.next().slot().at();
            if (!start.isBefore(until)) {
                break;
            }
            starts.add(start);
        }
        return starts;
    }

    private static List<LocalDateTime> starts(RecurrenceSection section, LocalDateTime until) {
        RecurrenceRule rule = section.rule();
        if (rule == null) {
            List<LocalDateTime> starts = new ArrayList<>(List.of(section.first().start()));
            section.rdates().forEach(date -> starts.add(date.start()));
            starts.removeAll(section.exdates());
            return starts;
        }
        Recurrence alone = new Recurrence(section.first(), rule, section.exdates(), section.rdates(), null);
        assertThat(alone.makesStart()).as("others take the start for a date").isTrue();
        return starts(alone, START.minusYears(1), until);
    }

    @Test
    void anySectionOfAnyRuleMakesTheSameDates() throws RuleSyntaxException {
        Random random = new Random(7);
        LocalDateTime end = START.plusYears(8);
        int compared = 0;
        for (String text : RULES) {
            RecurrenceRule rule = RecurrenceRule.parse(text, false, false);
            for (int i = 0; i < 60; i++) {
                LocalDateTime from = i == 0 ? null : START.plusMinutes(random.nextInt(3 * 365 * 24 * 60));
                LocalDateTime until = i % 3 == 0
                        ? null
                        : (from == null ? START : from).plusMinutes(random.nextInt(2 * 365 * 24 * 60));
                List<LocalDateTime> some = starts(
                        new Recurrence(time("Europe/Berlin"), rule, Set.of(), List.of(), null),
                        START.plusYears(1),
                        START.plusYears(2));
                Recurrence series = new Recurrence(
                        time("Europe/Berlin"),
                        rule,
                        some.isEmpty() ? Set.of() : Set.of(some.get(random.nextInt(some.size()))),
                        List.of(new Recurrence.AddedDate(START.plusDays(400).plusMinutes(7), null)),
                        i % 4 == 0 ? START.plusMinutes(random.nextInt(3 * 365 * 24 * 60)) : null);
                List<LocalDateTime> expected = starts(series, from == null ? START : from, until == null ? end : until);
                List<LocalDateTime> found = RecurrenceSection.of(series, from, until)
                        .map(section -> starts(section, end))
                        .orElse(List.of());
                assertThat(found)
                        .as("%s from %s until %s truncated %s", text, from, until, series.truncateBefore())
                        .isEqualTo(expected);
                compared += expected.size();
            }
        }
        assertThat(compared).isGreaterThan(10_000);
    }

    @Test
    void aSectionOfAddedDatesAloneHasNoRule() throws RuleSyntaxException {
        RecurrenceRule rule = RecurrenceRule.parse("FREQ=YEARLY", false, false);
        Recurrence series = new Recurrence(
                time("UTC"),
                rule,
                Set.of(),
                List.of(
                        new Recurrence.AddedDate(START.plusDays(20), null),
                        new Recurrence.AddedDate(START.plusDays(10), null)),
                null);
        RecurrenceSection section = RecurrenceSection.of(series, START.plusDays(1), START.plusDays(30))
                .orElseThrow();
        assertThat(section.rule()).isNull();
        assertThat(section.first().start()).isEqualTo(START.plusDays(10));
        assertThat(section.makes(Slot.of(START.plusDays(20), false))).isTrue();
        assertThat(section.makes(Slot.of(START.plusDays(21), false))).isFalse();
        assertThat(RecurrenceSection.of(series, START.plusDays(21), START.plusDays(30)))
                .isEmpty();
    }

    @Test
    void theFirstMidnightAfterATimeOfDayIsThatOfTheNextDay() {
        assertThat(RecurrenceSection.notBefore(START.withNano(1), false)).isEqualTo(START.plusSeconds(1));
        assertThat(RecurrenceSection.notBefore(START, true))
                .isEqualTo(START.toLocalDate().plusDays(1).atStartOfDay());
        assertThat(RecurrenceSection.notBefore(START.toLocalDate().atStartOfDay(), true))
                .isEqualTo(START.toLocalDate().atStartOfDay());
    }
}
