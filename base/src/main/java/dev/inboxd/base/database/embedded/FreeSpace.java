package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/** The room on the disk that a new database needs. */
final class FreeSpace {
    private static final long MEGABYTE = 1_048_576;
    private static final long NEW_CLUSTER = 80;
    private static final long MOST_LOG = 1_024 * MEGABYTE;

    private FreeSpace() {}

    /**
     * Refuses a first start that would fill the disk half-way.
     *
     * @param hasPrograms whether the programs are unpacked already
     */
    static void require(Path folder, boolean hasPrograms) {
        long needed = hasPrograms ? NEW_CLUSTER : Platform.current().programMegabytes() + NEW_CLUSTER;
        long free = megabytes(folder);
        if (free < needed) {
            throw new EmbeddedPostgresException("The disk of " + folder.toAbsolutePath() + " has " + free
                    + " MB left, and a new database needs " + needed
                    + " MB. Free some of it, or choose another one with INBOXD_DATA_DIR.");
        }
    }

    /**
     * The room that a copy of a cluster takes.
     *
     * @param cluster the cluster to be copied
     * @param copy what there is of the copy
     * @return megabytes that are needed and that there are
     */
    static VersionUpgrade.Space forCopy(Path cluster, Path copy) {
        long size = size(cluster.resolve("base"));
        long log = Math.min(size, MOST_LOG); // written beside the tables until the next checkpoint
        long needed = Math.max(0, size + size / 10 + log - size(copy)) / MEGABYTE + NEW_CLUSTER;
        return new VersionUpgrade.Space(needed, megabytes(cluster));
    }

    private static long size(Path folder) {
        if (Files.notExists(folder)) {
            return 0;
        }
        AtomicLong size = new AtomicLong();
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    size.addAndGet(attributes.size());
                    return FileVisitResult.CONTINUE;
                }

                // A database that has just ended removes files of its own.
                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw failure;
                }
            });
        } catch (IOException failure) {
            throw new EmbeddedPostgresException("The size of " + folder + " is unknown: " + failure, failure);
        }
        return size.get();
    }

    /** The room left; without end when it is unknown, and writing will tell. */
    private static long megabytes(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace() / MEGABYTE;
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }

    /** Whether the server failed over a full disk, on which its log has no room either. */
    static boolean isShort(Path folder, String log) {
        return megabytes(folder) == 0 || isShort(log);
    }

    /** Whether a program of PostgreSQL failed over a full disk. */
    static boolean isShort(String output) {
        return output.contains("No space left on device") || output.contains("Check free disk space");
    }
}
