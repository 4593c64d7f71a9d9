package dev.inboxd.platform.database.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The room on the disk that a new database needs. */
final class FreeSpace {
    private static final long MEGABYTE = 1_048_576;
    private static final long NEW_CLUSTER = 80;

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
