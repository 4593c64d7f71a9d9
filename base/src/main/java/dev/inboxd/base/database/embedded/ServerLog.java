package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * PostgreSQL's log file.
 *
 * @param file the log; one older file may be beside it
 */
record ServerLog(Path file) {
    private static final long LARGEST = 10L * 1024 * 1024;
    private static final int TAIL = 2_000;

    /** Renames a log that has grown too large, replacing the older file, and creates the log when it is missing. */
    void rotate() {
        try {
            if (Files.exists(file) && Files.size(file) > LARGEST) {
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
            if (!Files.exists(file)) {
                DurableFolders.writePrivate(file, "");
            }
        } catch (IOException e) {
            throw new EmbeddedPostgresException("The log " + file + " cannot be rotated: " + e.getMessage(), e);
        }
    }

    /** Size of the log in bytes, a position for {@link #since}. */
    long size() {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** The last lines written after the given position, at most two thousand bytes of them. */
    String since(long position) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(position, log.length() - TAIL);
            byte[] bytes = new byte[(int) Math.max(0, log.length() - from)];
            log.seek(from);
            log.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "(its log " + file + " cannot be read: " + e.getMessage() + ")";
        }
    }
}
