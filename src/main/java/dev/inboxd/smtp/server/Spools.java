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

/** Where messages rest while they come in: one folder of our own, and memory that is shared with other ports. */
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
     * Makes the folder if it is missing and removes what a crash left in it: no message in there was ever acknowledged.
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
        this.room = look();
    }

    SpoolWriter begin() {
        return new SpoolWriter(this);
    }

    /** Whether the disk has that much left, as seen at most a second ago. */
    boolean hasRoomFor(long bytes) {
        if (System.nanoTime() - room.seenAt() > ROOM_FRESH_NANOS) {
            room = look();
        }
        return room.bytes() >= bytes;
    }

    int memoryPerMessage() {
        return memoryPerMessage;
    }

    /** Takes memory from the budget; false when too little is left. */
    boolean reserve(int bytes) {
        return memory.reserve(bytes);
    }

    void release(int bytes) {
        memory.release(bytes);
    }

    Path newFile() throws IOException {
        return Files.createTempFile(directory, "", SUFFIX); // made with mode 0600
    }

    private Room look() {
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
