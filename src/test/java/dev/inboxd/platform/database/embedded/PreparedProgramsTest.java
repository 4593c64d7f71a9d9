package dev.inboxd.platform.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code inboxd prepare} unpacked serves later data folders. */
class PreparedProgramsTest {
    @TempDir
    Path folder;

    @Test
    void theyAreKeptOnceAsTheyWereUnpackedWithModesAndLinks() throws IOException {
        Path data = folder.resolve("data");
        Path made = PostgresPrograms.unpack(EmbeddedPostgres.programs(data)).folder();
        Path kept = folder.resolve("kept");
        PreparedPrograms.keep(data, kept);
        assertThat(described(PostgresPrograms.in(kept))).isEqualTo(described(made));

        Path copied = Files.createDirectory(folder.resolve("copied"));
        PreparedPrograms.copy(PostgresPrograms.in(kept), copied);
        assertThat(described(copied)).isEqualTo(described(made)).hasSizeGreaterThan(100);

        Files.writeString(PostgresPrograms.in(kept).resolve("mark"), "");
        PreparedPrograms.keep(data, kept);
        assertThat(PostgresPrograms.in(kept).resolve("mark")).exists();
        try (Stream<Path> names = Files.list(kept)) {
            assertThat(names).hasSize(1);
        }
    }

    @Test
    void aDataFolderWithoutThemLeavesNothing() throws IOException {
        PreparedPrograms.keep(folder.resolve("none"), folder.resolve("kept"));
        assertThat(folder.resolve("kept")).doesNotExist();
    }

    private static List<String> described(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> described(folder, file)).sorted().toList();
        }
    }

    private static String described(Path folder, Path file) {
        try {
            String name = folder.relativize(file) + " "
                    + PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
            if (Files.isSymbolicLink(file)) {
                return name + " -> " + Files.readSymbolicLink(file);
            }
            return Files.isDirectory(file) ? name : name + " " + Files.size(file);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
