package dev.inboxd.mail.recurrence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A second process with newer zone rules has other future instants, but the same wall times, slots and past. */
class ZoneReleaseTest {
    private static final Instant CHANGE = Instant.parse("2027-11-07T06:00:00Z");

    /** Prints the dates of a weekly and of an all-day series, by the zone rules that the process has. */
    public static void main(String[] arguments) throws RuleSyntaxException {
        lines().forEach(System.out::println);
    }

    @Test
    void instantsToComeMoveAndNothingElse() throws Exception {
        List<String> before = lines();
        List<String> after = linesOfAnotherProcess();
        assertThat(after).hasSameSizeAs(before);
        int moved = 0;
        for (int i = 0; i < before.size(); i++) {
            String[] old = before.get(i).split(" ", -1);
            String[] now = after.get(i).split(" ", -1);
            // Slot, start and end as shown, and the length.
            assertThat(List.of(now).subList(0, 4)).isEqualTo(List.of(old).subList(0, 4));
            Instant start = Instant.parse(old[4]);
            boolean isInWinter = start.isAfter(CHANGE) && start.isBefore(Instant.parse("2028-03-12T07:00:00Z"));
            Duration shift = isInWinter ? Duration.ofHours(-1) : Duration.ZERO;
            assertThat(Instant.parse(now[4])).as(before.get(i)).isEqualTo(start.plus(shift));
            moved += isInWinter ? 1 : 0;
        }
        assertThat(moved).isGreaterThan(20);
    }

    private static List<String> linesOfAnotherProcess() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.time.zone.DefaultZoneRulesProvider=" + LastingSummer.class.getName(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ZoneReleaseTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output.lines().toList();
    }

    private static List<String> lines() throws RuleSyntaxException {
        ZoneId zone = ZoneId.of("America/New_York");
        LocalDateTime start = LocalDateTime.parse("2026-09-14T01:30");
        List<String> lines = new ArrayList<>();
        for (DurationMode mode : DurationMode.values()) {
            EventTime timed = new EventTime(false, start, start.plusHours(1), zone, mode);
            add(lines, timed, "FREQ=WEEKLY;COUNT=90");
        }
        LocalDateTime day = LocalDateTime.parse("2026-09-14T00:00");
        add(lines, new EventTime(true, day, day.plusDays(2), zone, DurationMode.NOMINAL), "FREQ=MONTHLY;COUNT=24");
        return lines;
    }

    private static void add(List<String> lines, EventTime first, String text) throws RuleSyntaxException {
        RecurrenceRule rule = RecurrenceRule.parse(text, first.allDay(), false);
        Recurrence series = new Recurrence(first, rule, Set.of(), List.of(), null);
        series.from(first.start()).forEachRemaining(date -> {
            EventTime time = date.time();
            lines.add("%s %s %s %d %s"
                    .formatted(date.slot(), time.shownStart(), time.shownEnd(), time.durationValue(), time.startAt()));
        });
    }
}
