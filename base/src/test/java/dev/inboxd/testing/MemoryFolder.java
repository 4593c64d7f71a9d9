package dev.inboxd.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Where the databases of tests are: in memory, where the machine has a file system for that with room. On a disk that
 * other suites wait for, a test that writes hardly anything can stand still for seconds.
 */
final class MemoryFolder {
    private static final Path SHARED = Path.of("/dev/shm");
    private static final long ROOM = 4L << 30;

    private MemoryFolder() {}

    /**
     * The folder.
     *
     * @param otherwise on a machine that has none
     */
    static Path of(Path otherwise) {
        try {
            if (!Files.isWritable(SHARED)) {
                return otherwise;
            }
            FileStore store = Files.getFileStore(SHARED);
            if (!store.type().equals("tmpfs") || store.getUsableSpace() < ROOM) {
                return otherwise;
            }
            removeLeft();
            return SHARED;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Deletes what tests left that were killed. */
    private static void removeLeft() throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(SHARED, "inboxd-test-data-*")) {
            for (Path folder : folders) {
                long owner = Long.parseLong(folder.toString().replaceFirst(".*-", ""));
                if (ProcessHandle.of(owner).isEmpty()) {
                    delete(folder);
                }
            }
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException taken) {
            // Another Java of the tests deletes it at the same time.
        }
    }
}
