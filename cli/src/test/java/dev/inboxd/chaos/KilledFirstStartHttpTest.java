package dev.inboxd.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.chaos.Service.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A first start that is killed goes on at the next one. One data folder is started again and again and killed each time
 * a little further on its way: each start has to cope with what the one before left behind.
 */
class KilledFirstStartHttpTest {
    private static final long LIMIT = Duration.ofMinutes(2).toNanos();

    /** What the folder shows, in the order in which a first start does it. */
    private static final List<Moment> MOMENTS = List.of(
            Moment.of("lock"),
            Moment.of("programs"),
            Moment.of("programs/unpacking-*"),
            Moment.of("programs/unpacking-*/bin/postgres"),
            Moment.of("programs/unpacking-*/share/**", 100),
            Moment.of("postgres-18.new"),
            Moment.of("postgres-18.new/PG_VERSION"),
            Moment.of("postgres-18.new/PG_VERSION").ofTheServerAlone(),
            Moment.of("postgres-18.new/global/pg_control"),
            Moment.of("postgres-18.new/base/1/*", 40),
            Moment.of("postgres-18.new/base/1/*", 200).ofTheServerAlone(),
            Moment.of("postgres-18.new/base/4/*", 10),
            Moment.of("postgres-18.new/base/5/*", 10),
            Moment.of("postgres-18.new/base/[1-9][0-9][0-9]*/*", 10),
            Moment.of("postgres-18"),
            Moment.of("postgres-18/postmaster.pid"),
            Moment.of("postgres.port"),
            Moment.of("postgres-18/base/[1-9][0-9][0-9]*/*", 310),
            Moment.of("postgres-18/base/[1-9][0-9][0-9]*/*", 360),
            Moment.of("postgres-18/base/[1-9][0-9][0-9]*/*", 420),
            Moment.of("secret*"),
            Moment.of("blobs/store.id"),
            Moment.of("tls/*"),
            Moment.of("spool"));

    /** Where most can be left behind: in initdb, with its program going on, in the migrations and after them. */
    private static final List<Moment> FEW = List.of(
            Moment.of("postgres-18.new/base/1/*", 40),
            Moment.of("postgres-18.new/PG_VERSION").ofTheServerAlone(),
            Moment.of("postgres-18/base/[1-9][0-9][0-9]*/*", 360),
            Moment.of("secret*"));

    @TempDir
    private Path folder;

    /**
     * A moment of a start.
     *
     * @param pattern files below the data folder
     * @param files how many of them there are
     * @param group whether the whole process group is killed, or the server alone, so that its programs go on
     */
    private record Moment(String pattern, int files, boolean group) {
        static Moment of(String pattern) {
            return of(pattern, 1);
        }

        static Moment of(String pattern, int files) {
            return new Moment(pattern, files, true);
        }

        Moment ofTheServerAlone() {
            return new Moment(pattern, files, false);
        }

        /** Whether it has come, in what was written since the start. */
        boolean hasCome(Path data, FileTime start) {
            PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + data + "/" + pattern);
            int depth = pattern.contains("**") ? Integer.MAX_VALUE : pattern.split("/", -1).length;
            try (Stream<Path> found = Files.walk(data, depth)) {
                List<Path> matching = found.filter(matcher::matches).toList();
                return matching.size() >= files && matching.stream().anyMatch(path -> isNew(path, start));
            } catch (IOException | UncheckedIOException changing) {
                return false; // what is walked is being written
            }
        }

        private static boolean isNew(Path path, FileTime start) {
            try {
                return Files.getLastModifiedTime(path).compareTo(start) >= 0;
            } catch (IOException gone) {
                return false;
            }
        }
    }

    @Test
    void aFirstStartThatIsKilledStartsAgain() throws Exception {
        killAndStart(FEW, FEW.size() - 1);
    }

    @Test
    @Tag("long")
    void aFirstStartThatIsKilledAtAnyMomentStartsAgain() throws Exception {
        killAndStart(MOMENTS, 20);
    }

    /**
     * Kills at all these moments, and starts.
     *
     * @param seen so many of them have to be seen; the machine may be too quick for the others
     */
    private void killAndStart(List<Moment> moments, int seen) throws Exception {
        Path data = folder.resolve("data");
        List<Moment> missed = new ArrayList<>();
        for (Moment moment : moments) {
            if (!killAt(moment, data)) {
                missed.add(moment); // the machine was too quick: from the beginning, for those that follow
                Files.move(data, folder.resolve("data-" + missed.size()));
            }
        }
        assertThat(moments.size() - missed.size()).as("missed: %s", missed).isGreaterThanOrEqualTo(seen);
        Service service = Service.start(new Place(NodeCluster.unpreparedProgram(), data, 0, 0, Map.of()));
        try {
            HttpProbe.of(service.httpPort(), "none").get("/healthz").is(200);
            assertThat(data.resolve("postgres-18.new")).doesNotExist();
            assertThat(data.resolve("programs").toFile().list((_, name) -> name.startsWith("unpacking-")))
                    .isEmpty();
        } finally {
            assertThat(service.terminate(Duration.ofSeconds(60))).isZero();
        }
    }

    /** Starts and kills; false when the start ended or was ready before the moment was seen, and is killed then. */
    private boolean killAt(Moment moment, Path data) throws Exception {
        Path log = folder.resolve("log");
        FileTime start = Files.getLastModifiedTime(Files.createTempFile(folder, "start", null));
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(NodeCluster.unpreparedProgram());
        command.addAll(List.of("serve", "--data-dir", data.toString(), "--http-port", "0", "--smtp-port", "0"));
        command.addAll(List.of("--submission-port", "0"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long begin = System.nanoTime();
        try {
            while (!process.waitFor(5, TimeUnit.MILLISECONDS) && System.nanoTime() - begin < LIMIT) {
                if (Files.exists(data) && moment.hasCome(data, start)) {
                    return true;
                }
                if (Files.readString(log).contains("Try")) {
                    return false;
                }
            }
            String said = Files.readString(log, StandardCharsets.UTF_8);
            assertThat(process.isAlive()).as("%s: %s", moment, said).isTrue();
            throw new AssertionError("The start takes too long: " + said);
        } finally {
            kill(process, moment.group());
        }
    }

    private static void kill(Process process, boolean group) throws Exception {
        if (group) {
            new ProcessBuilder("kill", "-9", "--", "-" + process.pid()).start().waitFor();
        }
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
}
