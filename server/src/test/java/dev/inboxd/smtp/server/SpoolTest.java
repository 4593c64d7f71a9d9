package dev.inboxd.smtp.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final int PER_MESSAGE = 64 * 1024;

    @Test
    void aSmallMessageStaysInMemory(@TempDir Path directory) throws IOException {
        try (Spool spool = fill(new Spools(directory, PER_MESSAGE, new SpoolMemory(PER_MESSAGE)), PER_MESSAGE)) {
            assertThat(spool.file()).isNull();
            assertThat(bytes(spool)).isEqualTo(octets(PER_MESSAGE));
            assertThat(spool.size()).isEqualTo(PER_MESSAGE);
            assertThat(files(directory)).isZero();
        }
    }

    @Test
    void aLargeMessageGoesToAFileThatDisappearsWithIt(@TempDir Path directory) throws IOException {
        try (Spool spool = fill(new Spools(directory, PER_MESSAGE, new SpoolMemory(PER_MESSAGE)), PER_MESSAGE + 1)) {
            assertThat(bytes(spool)).isEqualTo(octets(PER_MESSAGE + 1));
            assertThat(Files.getPosixFilePermissions(Objects.requireNonNull(spool.file())))
                    .hasSize(2);
        }
        assertThat(files(directory)).isZero();
    }

    @Test
    void withTheMemoryOfAllSessionsUsedUpMessagesGoToFilesUntilItComesBack(@TempDir Path directory) throws IOException {
        Spools spools = new Spools(directory, PER_MESSAGE, new SpoolMemory(PER_MESSAGE));
        Spool first = fill(spools, PER_MESSAGE);
        try (Spool second = fill(spools, PER_MESSAGE)) {
            assertThat(second.file()).isNotNull();
        }
        first.close();
        first.close();
        try (Spool third = fill(spools, PER_MESSAGE);
                Spool fourth = fill(spools, PER_MESSAGE)) {
            assertThat(third.file()).isNull();
            assertThat(fourth.file()).isNotNull();
        }
    }

    @Test
    void whatOnePortHoldsInMemoryAnotherThatSharesItCannotHoldToo(@TempDir Path one, @TempDir Path two)
            throws IOException {
        SpoolMemory memory = new SpoolMemory(PER_MESSAGE);
        Spools other = new Spools(two, PER_MESSAGE, memory);
        try (Spool first = fill(new Spools(one, PER_MESSAGE, memory), PER_MESSAGE);
                Spool second = fill(other, PER_MESSAGE)) {
            assertThat(first.file()).isNull();
            assertThat(second.file()).isNotNull();
        }
        try (Spool third = fill(other, PER_MESSAGE)) {
            assertThat(third.file()).isNull();
        }
    }

    @Test
    void anAbandonedMessageLeavesNothing(@TempDir Path directory) throws IOException {
        Spools spools = new Spools(directory, PER_MESSAGE, new SpoolMemory(PER_MESSAGE));
        try (SpoolWriter writer = spools.begin()) {
            writer.write(octets(PER_MESSAGE * 2), 0, PER_MESSAGE * 2);
            assertThat(files(directory)).isOne();
        }
        assertThat(files(directory)).isZero();
        try (Spool next = fill(spools, PER_MESSAGE)) {
            assertThat(next.file()).isNull();
        }
    }

    @Test
    void whatACrashLeftBehindIsRemovedAtTheNextStart(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("123.spool"), "half a message");
        Spools spools = new Spools(directory, PER_MESSAGE, new SpoolMemory(PER_MESSAGE));
        assertThat(files(directory)).isZero();
        assertThat(spools.hasRoomFor(1)).isTrue();
        assertThat(spools.hasRoomFor(Long.MAX_VALUE)).isFalse();
    }

    private static Spool fill(Spools spools, int size) throws IOException {
        try (SpoolWriter writer = spools.begin()) {
            byte[] octets = octets(size);
            for (int from = 0; from < size; from += 5_000) {
                writer.write(octets, from, Math.min(size, from + 5_000));
            }
            return writer.finish(0, "");
        }
    }

    private static byte[] bytes(Spool spool) throws IOException {
        try (InputStream in = spool.open()) {
            return in.readAllBytes();
        }
    }

    private static byte[] octets(int size) {
        byte[] octets = "0123456789\r\n".repeat(size / 12 + 1).getBytes(US_ASCII);
        return Arrays.copyOf(octets, size);
    }

    private static long files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }
}
