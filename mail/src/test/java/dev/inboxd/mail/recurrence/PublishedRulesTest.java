package dev.inboxd.mail.recurrence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.PublishedCases;
import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules with their dates, as another calendar library publishes them. */
class PublishedRulesTest {
    private static final String EVERY_MONTH = "BYMONTHDAY without BYMONTH means every month";
    private static final String YEARS_OF_WEEKS =
            "INTERVAL counts the years that weeks belong to, from that of the start, here 2026, date of it or not";

    /** Where we read a rule otherwise: our dates, and the reading. */
    private static final Map<String, Map.Entry<List<String>, String>> OTHERWISE = Map.of(
            "FREQ=YEARLY;BYMONTHDAY=29;COUNT=3 from 20240229",
            Map.entry(List.of("20240229", "20240329", "20240429"), EVERY_MONTH),
            "FREQ=YEARLY;BYMONTHDAY=-29,-1;COUNT=4 from 20240201",
            Map.entry(List.of("20240201", "20240229", "20240303", "20240331"), EVERY_MONTH),
            "FREQ=YEARLY;BYWEEKNO=53;INTERVAL=6;BYDAY=TH;COUNT=1 from 20270103T000000Z",
            Map.entry(List.of("20321230T000000Z"), YEARS_OF_WEEKS),
            "FREQ=YEARLY;BYWEEKNO=53;INTERVAL=5;BYDAY=TH;COUNT=1 from 20270103T000000Z",
            Map.entry(List.of("20711231T000000Z"), YEARS_OF_WEEKS));

    /** One published case; {@code at} is a date from which its library looks. */
    private record PublishedRule(String rule, String start, String at, List<String> dates) {
        List<String> found() throws RuleSyntaxException {
            boolean allDay = start.indexOf('T') < 0;
            LocalDateTime first = time(start);
            EventTime event = new EventTime(allDay, first, first, ZoneOffset.UTC, DurationMode.NOMINAL);
            Recurrence series =
                    new Recurrence(event, RecurrenceRule.parse(rule, allDay, true), Set.of(), List.of(), null);
            List<String> found = new ArrayList<>();
            for (Iterator<Recurrence.Occurrence> all = series.from(first); all.hasNext(); ) {
                LocalDateTime date = all.next().time().start();
                if (found.size() > dates.size()) {
                    break;
                }
                found.add(
                        allDay
                                ? Slot.DATE.format(date)
                                : Slot.DATE_TIME.format(date) + (start.endsWith("Z") ? "Z" : ""));
            }
            return found;
        }

        List<String> foundFromThere() throws RuleSyntaxException {
            List<String> found = new ArrayList<>();
            EventTime event = new EventTime(false, time(start), time(start), ZoneOffset.UTC, DurationMode.NOMINAL);
            new Recurrence(event, RecurrenceRule.parse(rule, false, true), Set.of(), List.of(), null)
                    .from(time(at))
                    .forEachRemaining(
                            date -> found.add(Slot.DATE_TIME.format(date.time().start())));
            return found;
        }

        private static LocalDateTime time(String text) {
            String local = text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
            return local.indexOf('T') < 0
                    ? Slot.DATE.parse(local, LocalDate::from).atTime(LocalTime.MIDNIGHT)
                    : Slot.DATE_TIME.parse(local, LocalDateTime::from);
        }
    }

    @Test
    void everyCaseHasItsDatesOrOursByAReadingThatIsNamed() throws IOException, RuleSyntaxException {
        List<PublishedRule> cases = cases();
        List<String> wrong = new ArrayList<>();
        List<String> otherwise = new ArrayList<>();
        for (PublishedRule each : cases) {
            String name = each.rule + " from " + each.start;
            List<String> found = each.found();
            Map.Entry<List<String>, String> ours = OTHERWISE.get(name);
            if (ours != null) {
                otherwise.add(name + ": " + ours.getValue());
                assertThat(found).as(name).isEqualTo(ours.getKey()).isNotEqualTo(each.dates);
            } else if (!found.equals(each.dates)) {
                wrong.add(name + ": " + found);
            }
            if (!each.at.isEmpty()) {
                assertThat(each.foundFromThere())
                        .as(name)
                        .isEqualTo(each.dates.stream()
                                .filter(date -> date.compareTo(each.at) >= 0)
                                .toList());
            }
        }
        System.out.printf(
                "Rules of others: %d, %d as they say, %d by a reading of ours: %s%n",
                cases.size(), cases.size() - wrong.size() - otherwise.size(), otherwise.size(), otherwise);
        assertThat(wrong).isEmpty();
        assertThat(cases).hasSizeGreaterThanOrEqualTo(138);
        assertThat(otherwise).hasSize(OTHERWISE.size());
    }

    private static List<PublishedRule> cases() throws IOException {
        List<PublishedRule> cases = new ArrayList<>();
        String rule = "";
        String start = "";
        String at = "";
        for (String line : Files.readAllLines(PublishedCases.file("ical/rules/icalrecur_test.txt"))) {
            String value = line.substring(line.indexOf(':') + 1).strip();
            if (line.startsWith("RRULE:")) {
                rule = value;
                at = "";
            } else if (line.startsWith("DTSTART:")) {
                start = value;
            } else if (line.startsWith("START-AT:")) {
                at = value;
            } else if (line.startsWith("INSTANCES:") && !value.startsWith("*")) {
                cases.add(new PublishedRule(
                        rule, start, at, Stream.of(value.split(",", -1)).toList()));
            }
        }
        return cases;
    }
}
