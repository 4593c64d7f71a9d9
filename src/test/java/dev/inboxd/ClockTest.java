package dev.inboxd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A process has one clock, which its entry point makes and hands on, so that a test which moves it moves the time of
 * everything. Durations are measured by {@link System#nanoTime()}, which no test moves.
 */
class ClockTest {
    private static final Path MAIN = Path.of("src/main/java");
    private static final Pattern READS =
            Pattern.compile("\\bInstantSource\\.system\\(|\\bClock\\.system|\\bcurrentTimeMillis\\(|\\bnew Date\\(\\)"
                    + "|\\b(Instant|LocalDate|LocalTime|LocalDateTime|OffsetDateTime|ZonedDateTime|Year)\\.now\\(");

    /** The entry points of a process, and ids, whose time orders them and means nothing else. */
    private static final List<String> ALLOWED = List.of(
            "backup/BackupRun.java",
            "cli/OperatorContext.java",
            "cli/ServeCommand.java",
            "cli/doctor/Doctor.java",
            "cli/mail/EventRelay.java",
            "cli/mail/MessageVerbs.java",
            "platform/http/Exchange.java",
            "platform/http/LocalSource.java",
            "platform/id/Uuid7.java");

    @Test
    void nothingElseReadsTheTime() throws IOException {
        Set<String> readers = new TreeSet<>();
        try (Stream<Path> files = Files.walk(MAIN)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                if (reads(Files.readString(file))) {
                    readers.add(MAIN.resolve("dev/inboxd").relativize(file).toString());
                }
            }
        }
        assertThat(readers).containsExactlyElementsOf(ALLOWED);
    }

    @Test
    void aReaderIsSeen() {
        assertThat(reads("Instant at = Instant.now();")).isTrue();
        assertThat(reads("long at = System.currentTimeMillis();")).isTrue();
        assertThat(reads("this.clock = InstantSource.system();")).isTrue();
        assertThat(reads("long began = System.nanoTime(); Instant at = clock.instant();"))
                .isFalse();
    }

    private static boolean reads(String source) {
        return READS.matcher(source).find();
    }
}
