package dev.inboxd.base.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Java tells on every system is what Linux tells of its own. */
class ProcessTableTest {
    private final ProcessTable portable = new ProcessTable.Handles();
    private final ProcessTable linux = new ProcessTable.Proc();
    private Process process;

    @BeforeEach
    void start() throws Exception {
        process = new ProcessBuilder("tail", "-f", "-c", "1", "/dev/null").start();
    }

    @AfterEach
    void stop() throws Exception {
        process.destroyForcibly().waitFor();
    }

    @Test
    void aRunningProcessHasOneProgramAndOneCommandLine() {
        ProcessHandle handle = process.toHandle();
        assertThat(portable.has(process.pid())).isTrue();
        assertThat(portable.program(handle)).isEqualTo(linux.program(handle));
        assertThat(portable.commandLine(process.pid()))
                .endsWith("-f", "-c", "1", "/dev/null")
                .hasSameSizeAs(linux.commandLine(process.pid()));
        assertThat(linux.workingFolder(handle)).isEqualTo(Path.of("").toAbsolutePath());
        assertThat(portable.workingFolder(handle)).hasToString("");
    }

    @Test
    void oneThatEndedHasNone() throws Exception {
        process.destroyForcibly().waitFor();
        assertThat(portable.has(process.pid())).isFalse();
        assertThat(portable.commandLine(process.pid())).isEmpty();
        assertThat(linux.commandLine(process.pid())).isEmpty();
    }
}
