package dev.inboxd.smtp.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;

/** Storage of messages while they are received: a folder of this listener, and memory shared with other listeners. */
public final class Spools {
    static final Set<OpenOption> FILE_OPTIONS = Set.of(StandardOpenOption.WRITE);
    private static final String SUFFIX = ".spool";
    private static final long ROOM_FRESH_NANOS = 1_000_000_000L;

    private final Path directory;
    private final int memoryPerMessage;
    private final SpoolMemory memory;
    private volatile Room room = new Room(0, 0);

    private record Room(long bytes, long seenAt) {}

    /**
     * Creates the folder if it is missing and removes files that a crash left: none of those messages was acknowledged.
     *
     * @param memoryPerMessage octets up to which a message may stay in memory
     */
    Spools(Path directory, int memoryPerMessage, SpoolMemory memory) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.memoryPerMessage = memoryPerMessage;
        this.memory = memory;
        try (DirectoryStream<Path> stale = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : stale) {
                Files.deleteIfExists(file);
            }
        }
        this.room = measure();
    }

    SpoolWriter begin() {
        return new SpoolWriter(this);
    }

    /** Whether the disk has that many bytes free, as measured within the last second. */
    boolean hasRoomFor(long bytes) {
        if (System.nanoTime() - room.seenAt() > ROOM_FRESH_NANOS) {
            room = measure();
        }
        return room.bytes() >= bytes;
    }

    int memoryPerMessage() {
        return memoryPerMessage;
    }

    /** Reserves memory of the budget, in bytes; false when too little is left. */
    boolean reserve(int bytes) {
        return memory.reserve(bytes);
    }

    void release(int bytes) {
        memory.release(bytes);
    }

    Path newFile() throws IOException {
        return Files.createTempFile(directory, "", SUFFIX); // created with mode 0600
    }

    private Room measure() {
        long bytes = directory.toFile().getUsableSpace(); // 0 when the folder is gone
        return new Room(bytes, System.nanoTime());
    }

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has SHA-256", e);
        }
    }
}
