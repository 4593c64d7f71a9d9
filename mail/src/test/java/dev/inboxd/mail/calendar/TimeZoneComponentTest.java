package dev.inboxd.mail.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A reader that knows a zone by its component alone has the same clocks as we. */
class TimeZoneComponentTest {
    private static final Instant FROM = Instant.parse("2026-10-15T12:00:00Z");
    /** No clock changes so near to the turn of a year. */
    private static final LocalDateTime LAST = LocalDateTime.of(2045, 12, 15, 0, 0);

    @Test
    void everyZoneHasTheClocksOfTheNextTwentyYears() throws RuleSyntaxException {
        int zones = 0;
        for (String name : Set.copyOf(ZoneId.getAvailableZoneIds())) {
            ZoneId zone = ZoneId.of(name);
            NavigableMap<LocalDateTime, String> told = told(component(zone));
            ZoneOffsetTransition next = zone.getRules().nextTransition(FROM);
            while (next != null && next.getDateTimeBefore().isBefore(LAST)) {
                assertThat(told.remove(next.getDateTimeBefore()))
                        .as(name + " " + next)
                        .isEqualTo(next.getOffsetAfter().getId());
                next = zone.getRules().nextTransition(next.getInstant());
            }
            told.keySet().removeIf(date -> !date.isBefore(LAST));
            assertThat(told.lastEntry().getValue()) // what holds at the beginning
                    .as(name)
                    .isEqualTo(zone.getRules().getOffset(FROM).getId());
            assertThat(told.lastKey())
                    .as(name)
                    .isBefore(LocalDateTime.ofInstant(FROM, zone).plusSeconds(1));
            zones++;
        }
        assertThat(zones).isGreaterThan(500);
    }

    @Test
    void aRuleSaysTheDaysOfTheYear() {
        assertThat(component(ZoneId.of("Australia/Lord_Howe")))
                .contains("RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU\r\nTZOFFSETFROM:+1100\r\nTZOFFSETTO:+1030\r\n");
        assertThat(component(ZoneId.of("Europe/Berlin"))).contains("RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n");
        assertThat(component(ZoneId.of("Asia/Kolkata")))
                .contains("TZOFFSETTO:+0530")
                .doesNotContain("RRULE");
    }

    /** A series may have begun long ago: no change between its start and now is left out. */
    @Test
    void everyZoneHasEveryChangeSinceLongAgo() throws RuleSyntaxException {
        Instant longAgo = Instant.parse("1901-01-01T00:00:00Z");
        for (String name : Set.copyOf(ZoneId.getAvailableZoneIds())) {
            ZoneId zone = ZoneId.of(name);
            Map<LocalDateTime, String> told = told(component(zone, longAgo));
            for (ZoneOffsetTransition each : zone.getRules().getTransitions()) {
                if (each.getInstant().isAfter(longAgo)) {
                    assertThat(told.get(each.getDateTimeBefore()))
                            .as(name + " " + each)
                            .isEqualTo(each.getOffsetAfter().getId());
                }
            }
        }
    }

    @Test
    void newYorkIsExactly() {
        assertThat(component(ZoneId.of("America/New_York")).split("\r\n"))
                .containsExactly(
                        "BEGIN:VTIMEZONE",
                        "TZID:America/New_York",
                        "BEGIN:DAYLIGHT",
                        "DTSTART:20260308T020000",
                        "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
                        "TZOFFSETFROM:-0500",
                        "TZOFFSETTO:-0400",
                        "TZNAME:EDT",
                        "END:DAYLIGHT",
                        "BEGIN:STANDARD",
                        "DTSTART:20251102T020000",
                        "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
                        "TZOFFSETFROM:-0400",
                        "TZOFFSETTO:-0500",
                        "TZNAME:EST",
                        "END:STANDARD",
                        "END:VTIMEZONE");
    }

    /** Readers that expect one of each take a zone with summer time alone for UTC. */
    @Test
    void aMeetingOfAnyHourAndZoneHasStandardTimeAndSummerTimeWhereTheZoneHasIt() {
        for (String name : Set.copyOf(ZoneId.getAvailableZoneIds())) {
            ZoneId zone = ZoneId.of(name);
            for (String day : List.of("1950-07-01", "1986-01-10", "2007-07-05", "2026-01-18", "2027-07-05")) {
                Instant from = Instant.parse(day + "T12:00:00Z");
                String component = component(zone, from, from.plusSeconds(3_600));
                assertThat(component).as(name + " " + day).contains("BEGIN:STANDARD");
                if (!zone.getRules().getTransitionRules().isEmpty() && day.startsWith("202")) {
                    assertThat(component).as(name + " " + day).contains("BEGIN:DAYLIGHT");
                }
                assertThat(offsetAt(component, LocalDateTime.ofInstant(from, zone)))
                        .as(name + " " + day)
                        .isEqualTo(zone.getRules().getOffset(from).getId());
            }
        }
    }

    @Test
    void aShortMeetingHasTheYearlyRulesOfItsZone() {
        Instant summer = Instant.parse("2027-07-05T09:30:00Z");
        for (String name : List.of("America/New_York", "Europe/London", "Australia/Sydney", "America/Santiago")) {
            assertThat(component(ZoneId.of(name), summer, summer.plusSeconds(1_800))
                            .split("RRULE:FREQ=YEARLY"))
                    .as(name)
                    .hasSize(3);
        }
    }

    private static String offsetAt(String component, LocalDateTime wall) {
        try {
            return told(component).floorEntry(wall).getValue();
        } catch (RuleSyntaxException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static String component(ZoneId zone, Instant from, Instant until) {
        ContentLines lines = new ContentLines();
        TimeZoneComponent.add(lines, zone, from, until);
        return new String(lines.octets(), StandardCharsets.UTF_8);
    }

    private static String component(ZoneId zone) {
        return component(zone, FROM);
    }

    private static String component(ZoneId zone, Instant from) {
        ContentLines lines = new ContentLines();
        TimeZoneComponent.add(lines, zone, from, null);
        return new String(lines.octets(), StandardCharsets.UTF_8);
    }

    /** The offsets by the wall times at which they begin. */
    private static NavigableMap<LocalDateTime, String> told(String component) throws RuleSyntaxException {
        NavigableMap<LocalDateTime, String> told = new TreeMap<>();
        for (String observance : List.of(component.split("BEGIN:(STANDARD|DAYLIGHT)\r\n"))) {
            if (!observance.startsWith("BEGIN")) {
                LocalDateTime start = LocalDateTime.parse(value(observance, "DTSTART"), TimeZoneComponent.LOCAL);
                String offset = ZoneOffset.of(value(observance, "TZOFFSETTO")).getId();
                told.put(start, offset);
                if (observance.contains("RRULE:")) {
                    EventTime time = new EventTime(false, start, start, ZoneOffset.UTC, DurationMode.EXACT);
                    RecurrenceRule rule = RecurrenceRule.parse(value(observance, "RRULE"), false, false);
                    Iterator<Recurrence.Occurrence> dates =
                            new Recurrence(time, rule, Set.of(), List.of(), null).from(start);
                    for (int i = 0; i < 40; i++) {
                        LocalDateTime date = dates.next().time().start();
                        told.put(date, offset);
                    }
                }
            }
        }
        return told;
    }

    private static String value(String observance, String name) {
        int at = observance.indexOf(name + ":") + name.length() + 1;
        return observance.substring(at, observance.indexOf("\r\n", at));
    }
}
