package dev.inboxd.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A process has one clock, which its entry point makes and hands on, so that a test which moves it moves the time of
 * everything. Durations are measured by {@link System#nanoTime()}, which no test moves.
 */
class ClockTest {
    private static final Pattern READS =
            Pattern.compile("\\bInstantSource\\.system\\(|\\bClock\\.system|\\bcurrentTimeMillis\\(|\\bnew Date\\(\\)"
                    + "|\\b(Instant|LocalDate|LocalTime|LocalDateTime|OffsetDateTime|ZonedDateTime|Year)\\.now\\(");

    /** The entry points of a process, and ids, whose time orders them and means nothing else. */
    private static final List<String> ALLOWED = List.of(
            "backup/BackupRun.java",
            "base/http/Exchange.java",
            "base/http/LocalSource.java",
            "base/id/Uuid7.java",
            "cli/CommandDatabase.java",
            "cli/ServeCommand.java",
            "cli/doctor/Doctor.java",
            "cli/mail/EventRelay.java",
            "cli/mail/MessageVerbs.java");

    @Test
    void nothingElseReadsTheTime() throws IOException {
        Set<String> readers = new TreeSet<>();
        for (Path file : SourceTree.files(SourceTree.MAIN, ".java")) {
            if (reads(Files.readString(file))) {
                readers.add(file.toString().replaceFirst("^.*/src/main/java/dev/inboxd/", ""));
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
