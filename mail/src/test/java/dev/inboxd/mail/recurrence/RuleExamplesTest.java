package dev.inboxd.mail.recurrence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The examples of RFC 5545 §3.8.5.3, and what it leaves open as this calendar reads it. */
class RuleExamplesTest {
    private static final Path FILE = Path.of("mail/src/test/resources/recurrence/examples.txt");
    private static final ZoneId ZONE = ZoneId.of("America/New_York");

    /** One case of the file. */
    private static final class Example {
        private String name = "";
        private String rule = "";
        private LocalDateTime start = LocalDateTime.of(1997, 9, 2, 9, 0);
        private final Set<LocalDateTime> exdates = new HashSet<>();
        private final List<LocalDateTime> dates = new ArrayList<>();
        private boolean endless;

        void line(String line) {
            String value = line.substring(line.indexOf(' ') + 1);
            switch (line.substring(0, line.indexOf(' '))) {
                case "case" -> name = value;
                case "rule" -> rule = value;
                case "start" -> start = LocalDateTime.parse(value);
                case "except" -> exdates.add(LocalDateTime.parse(value));
                case "dates" -> month(value);
                default -> throw new AssertionError(line);
            }
        }

        private void month(String value) {
            endless = value.endsWith(" ...");
            String[] sides = value.replace(" ...", "").split(" at ", -1);
            List<LocalTime> times = new ArrayList<>();
            for (String time : sides.length > 1 ? sides[1].split(" ", -1) : new String[] {}) {
                times.add(LocalTime.parse(time));
            }
            String[] words = sides[0].split(" ", -1);
            YearMonth month = YearMonth.parse(words[0]);
            for (int i = 1; i < words.length; i++) {
                String[] span = words[i].split("-", -1);
                for (int day = Integer.parseInt(span[0]); day <= Integer.parseInt(span[span.length - 1]); day++) {
                    for (LocalTime time : times.isEmpty() ? List.of(start.toLocalTime()) : times) {
                        dates.add(month.atDay(day).atTime(time));
                    }
                }
            }
        }

        /** What is different, or nothing. */
        String fault() throws RuleSyntaxException {
            EventTime first = new EventTime(false, start, start.plusMinutes(30), ZONE, DurationMode.NOMINAL);
            RecurrenceRule parsed = RecurrenceRule.parse(rule, false, false);
            Recurrence series = new Recurrence(first, parsed, exdates, List.of(), null);
            List<LocalDateTime> found = new ArrayList<>();
            Iterator<Recurrence.Occurrence> all = series.from(start);
            while (all.hasNext() && found.size() < dates.size()) {
                found.add(all.next().time().start());
            }
            if (!found.equals(dates) || all.hasNext() != endless) {
                return name + ": " + found + (all.hasNext() ? " ..." : "");
            }
            // From any of its dates on, it is the same series.
            for (int i = 0; i < dates.size(); i++) {
                Iterator<Recurrence.Occurrence> rest = series.from(dates.get(i));
                if (!rest.next().time().start().equals(dates.get(i))
                        || (i + 1 < dates.size() && !rest.next().time().start().equals(dates.get(i + 1)))) {
                    return name + ": another series from " + dates.get(i);
                }
            }
            return "";
        }
    }

    @Test
    void everyExampleTakesPlaceWhenItSays() throws IOException, RuleSyntaxException {
        List<Example> examples = examples();
        List<String> faults = new ArrayList<>();
        for (Example example : examples) {
            String fault = example.fault();
            if (!fault.isEmpty()) {
                faults.add(fault);
            }
        }
        assertThat(faults).isEmpty();
        assertThat(examples).hasSizeGreaterThan(50);
    }

    private static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (String line : Files.readAllLines(FILE)) {
            if (line.startsWith("case ")) {
                examples.add(new Example());
            }
            if (!line.isEmpty() && !line.startsWith("#")) {
                examples.getLast().line(line);
            }
        }
        return examples;
    }
}
