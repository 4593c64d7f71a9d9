package dev.inboxd.base.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java's exceptions of files, in words. */
class FileFailureTest {
    @TempDir
    Path folder;

    private interface Attempt {
        void run() throws IOException;
    }

    @Test
    void aFileWhereAFolderShouldBe() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(said(() -> Files.createDirectories(file))).isEqualTo(file + " is a file, not a folder");
        assertThat(said(() -> Files.createDirectories(file.resolve("below"))))
                .isEqualTo(file + " is a file, not a folder");
    }

    @Test
    void aFolderWhereNoneCanBeMade() {
        assertThat(said(() -> Files.createDirectory(folder.resolve("a/b")))).contains("there is no " + folder);
    }

    @Test
    void aFullDisk() throws IOException {
        try (SmallDisk disk = SmallDisk.over(folder.resolve("disk"), 64)) {
            disk.fill();
            assertThat(said(() -> Files.write(folder.resolve("disk/more"), new byte[10_000])))
                    .isEqualTo("the disk is full");
        }
    }

    @Test
    void noRightAndWhateverElseTheSystemSays() {
        assertThat(FileFailure.words(new AccessDeniedException("/x/lock")))
                .contains("no right to use /x/lock", System.getProperty("user.name"));
        assertThat(FileFailure.words(new FileSystemException("/x", null, "Read-only file system")))
                .isEqualTo("the disk can only be read, not written");
        assertThat(FileFailure.words(new FileSystemException("/x", null, "Too many levels of symbolic links")))
                .isEqualTo("/x: Too many levels of symbolic links");
        assertThat(FileFailure.words(new NoSuchFileException("/x"))).isEqualTo("there is no /x, and it cannot be made");
        assertThat(FileFailure.words(new IOException())).isEqualTo("an error of the file system");
    }

    private static String said(Attempt attempt) {
        try {
            attempt.run();
        } catch (IOException failure) {
            assertThat(FileFailure.words(failure)).doesNotContain("Exception", "java.");
            return FileFailure.words(failure);
        }
        throw new AssertionError("nothing failed");
    }
}
