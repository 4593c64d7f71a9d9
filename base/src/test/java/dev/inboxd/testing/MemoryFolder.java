package dev.inboxd.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where the databases of tests are: in memory, where the machine has a file system for that with room. On a disk that
 * other suites wait for, a test that writes hardly anything can stand still for seconds.
 */
final class MemoryFolder {
    private static final Path SHARED = Path.of("/dev/shm");
    private static final long ROOM = 4L << 30;
    private static final String PREFIX = "inboxd-test-data-" + namespace() + "-";
    private static final Pattern OWNER = Pattern.compile(Pattern.quote(PREFIX) + "([0-9]{1,9})");

    private MemoryFolder() {}

    /** The name space of the ids of processes: containers may share the memory, and none sees those of another. */
    private static String namespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("[^0-9]", "");
        } catch (IOException | UnsupportedOperationException none) {
            return "0";
        }
    }

    /**
     * The folder of this Java, which is not there yet.
     *
     * @param otherwise where it is on a machine without such a file system
     */
    static Path of(Path otherwise) {
        return place(otherwise).resolve(PREFIX + ProcessHandle.current().pid());
    }

    private static Path place(Path otherwise) {
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
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(SHARED, PREFIX + "*")) {
            for (Path folder : folders) {
                Matcher owner = OWNER.matcher(folder.getFileName().toString());
                boolean isLeft = owner.matches()
                        && ProcessHandle.of(Long.parseLong(owner.group(1)))
                                .filter(java ->
                                        java.pid() != ProcessHandle.current().pid())
                                .isEmpty();
                if (isLeft) {
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
