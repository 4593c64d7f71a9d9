package dev.inboxd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a command ends with whose output cannot be written (ruling 150). */
class StandardOutputTest {
    private static StandardOutput failing(String why) {
        return new StandardOutput(
                new OutputStream() {
                    @Override
                    public void write(int octet) throws IOException {
                        throw new IOException(why);
                    }
                },
                false);
    }

    private static int status(StandardOutput output, int status) {
        PrintStream printed = new PrintStream(output, true, StandardCharsets.UTF_8);
        printed.println("a result");
        return output.status(status);
    }

    @Test
    void aFullDiskIsAFailure() {
        assertThat(status(failing("No space left on device"), 0)).isEqualTo(1);
        assertThat(status(failing("No space left on device"), 4)).isEqualTo(4);
    }

    @Test
    void whoReadsNoMoreHasWhatHeWants() {
        assertThat(status(failing("Broken pipe"), 0)).isZero();
    }

    @Test
    void whatIsWrittenIsUtf8() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        assertThat(status(new StandardOutput(written, false), 0)).isZero();
        assertThat(written.toString(StandardCharsets.UTF_8)).startsWith("a result");
    }
}
