package dev.inboxd.base.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.testing.Proves;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service is killed and cannot clean up: the kernel has to. */
class KilledServiceDbTest {
    @TempDir
    Path data;

    @Test
    void killingTheServiceLeavesNoServerAndTheNextStartHasEveryRow() throws Exception {
        Process service = service();
        try (BufferedReader lines = service.inputReader(StandardCharsets.UTF_8)) {
            ProcessHandle server =
                    ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
            service.destroyForcibly().waitFor();
            server.onExit().get(30, TimeUnit.SECONDS);
        }
        try (var postgres = EmbeddedPostgres.start(data, TestServers.PROGRAMS)) {
            assertThat(Queries.ask(postgres, "select text from letter")).isEqualTo("kept");
        }
    }

    @Test
    @Tag("long")
    @Proves("P1")
    void killingBothTheServiceAndTheServerIsRecoveredByTheNextStart() throws Exception {
        Process service = service();
        try (BufferedReader lines = service.inputReader(StandardCharsets.UTF_8)) {
            ProcessHandle server =
                    ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
            server.destroyForcibly();
            service.destroyForcibly().waitFor();
        }
        try (var postgres = EmbeddedPostgres.start(data, TestServers.PROGRAMS)) {
            assertThat(Queries.ask(postgres, "select text from letter")).isEqualTo("kept");
        }
    }

    @Test
    @Tag("long")
    void theRefusalNamesTheProcessThatHoldsTheFolder() throws Exception {
        Process service = service();
        try (BufferedReader lines = service.inputReader(StandardCharsets.UTF_8)) {
            ProcessHandle server =
                    ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
            assertThatThrownBy(() -> FolderLock.take(data)).hasMessageContaining("process " + service.pid());
            service.destroyForcibly().waitFor();
            server.onExit().get(30, TimeUnit.SECONDS); // it writes to the folder, which goes with the test
        } finally {
            service.destroyForcibly();
        }
    }

    private Process service() throws IOException {
        TestServers.fill(data);
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Service.class.getName(),
                        data.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A service that writes a row, says its server's process id and waits to be killed. */
    static final class Service {
        private Service() {}

        public static void main(String[] arguments) throws Exception {
            var postgres = EmbeddedPostgres.start(Path.of(arguments[0]), TestServers.PROGRAMS);
            Queries.run(postgres, "create table letter (text text)", "insert into letter values ('kept')");
            System.out.println(postgres.processId());
            Thread.currentThread().join();
        }
    }
}
