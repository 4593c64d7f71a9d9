package dev.inboxd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher gives Java of a caller without a locale, or with closed streams (ruling 150). */
class LauncherStreamsTest {
    @TempDir
    private Path folder;

    /** A Java that says what it got. */
    @BeforeEach
    void install() throws IOException {
        Path java = folder.resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                { echo "locale $LC_ALL"; echo "input $(cat | wc -c)"; echo wrote || echo unwritten; } >said 2>&1
                echo out 2>>said || echo unwritten >>said
                """);
        Path launcher = folder.resolve("launcher");
        Files.writeString(
                launcher,
                "#!/bin/sh\nset -eu\n. " + Path.of("deploy/start.sh").toAbsolutePath()
                        + "\nstart ./java x.jar none \"$@\"\n");
        for (Path program : new Path[] {java, launcher}) {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        }
    }

    private String run(String streams) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec ./launcher version " + streams)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("LANG", "de_DE.ISO-8859-1");
        builder.environment().remove("INBOXD_JAVA_OPTS");
        Process process = builder.start();
        process.getOutputStream().close();
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return Files.readString(folder.resolve("said"), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<&-", "2>&-", "<&- 2>&-"})
    void theLocaleIsUtf8AndAClosedInputIsAnEmptyOne(String streams) throws Exception {
        assertThat(run(streams)).contains("locale C.UTF-8\n", "input 0\n").doesNotContain("unwritten");
    }

    @Test
    void nothingCanBeWrittenToAClosedOutput() throws Exception {
        assertThat(run(">&-")).contains("unwritten");
    }
}
