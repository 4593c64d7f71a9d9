package dev.inboxd.base.database.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.inboxd.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data folder that cannot be used is named with what is wrong with it and what to do. */
class DataFolderDbTest {
    @TempDir
    Path folder;

    @Test
    void aFileInItsPlaceOrAboveIt() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        for (Path data : new Path[] {file, file.resolve("data")}) {
            assertThat(said(data)).contains(data.toString(), file + " is a file, not a folder", "INBOXD_DATA_DIR");
        }
    }

    @Test
    void aPlaceWhereNothingCanBeMade() {
        assertThat(said(Path.of("/proc/data"))).contains("/proc/data cannot be used", "INBOXD_DATA_DIR");
    }

    @Test
    void aFolderThatAnotherServerUses() {
        try (FolderLock lock = FolderLock.take(folder)) {
            assertThat(lock).isNotNull();
            assertThat(said(folder)).contains("Another inboxd", "INBOXD_DATA_DIR");
        }
    }

    @Test
    void aDiskWithTooLittleRoomForANewDatabase() throws IOException {
        try (SmallDisk disk = SmallDisk.over(folder.resolve("disk"), 60_000)) {
            assertThat(disk).isNotNull();
            assertThat(said(folder.resolve("disk"))).contains(" MB left, and a new database needs ", "INBOXD_DATA_DIR");
        }
    }

    @Test
    @Tag("long")
    void aDiskThatIsFullByNow() throws IOException {
        Path data = folder.resolve("disk");
        try (SmallDisk disk = SmallDisk.over(data, 200_000)) {
            EmbeddedPostgres.start(data, TestServers.PROGRAMS).close();
            disk.fill();
            assertThat(said(data)).contains("The disk is full");
            disk.empty();
            EmbeddedPostgres.start(data, TestServers.PROGRAMS).close();
        }
    }

    private static String said(Path data) {
        Throwable failure = catchThrowable(
                () -> EmbeddedPostgres.start(data, TestServers.PROGRAMS).close());
        assertThat(failure).isInstanceOf(EmbeddedPostgresException.class);
        assertThat(failure.getMessage()).doesNotContain("Exception", "java.", "initdb");
        return String.valueOf(failure.getMessage());
    }
}
