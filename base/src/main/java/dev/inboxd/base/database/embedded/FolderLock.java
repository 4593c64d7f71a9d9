package dev.inboxd.base.database.embedded;

import dev.inboxd.base.io.FileFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Lock on a data folder: one server per folder. The lock belongs to the process, so the kernel releases it however the
 * process ends. The file contains the process id, for the error message alone.
 */
public final class FolderLock implements AutoCloseable {
    private static final int LONGEST_PROCESS_ID = 20;

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks the folder for this process, and creates the folder (0700) when there is none. {@link
     * EmbeddedPostgres#start} calls this; with an external database the server calls it itself.
     *
     * @param folder the data folder
     * @return the lock, held until it is closed or the process ends
     * @throws EmbeddedPostgresException when another server holds it; the message names that server's process id
     */
    public static FolderLock take(Path folder) {
        try {
            DurableFolders.createPrivate(folder);
            FileChannel channel = FileChannel.open(
                    folder.resolve("lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            try {
                if (channel.tryLock() == null) {
                    throw inUse(folder, "process " + read(channel));
                }
            } catch (OverlappingFileLockException e) {
                // Closing any descriptor of the file would drop this process's own lock (fcntl), so it stays open.
                throw inUse(folder, "this very process");
            }
            channel.truncate(0);
            channel.write(
                    StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
            return new FolderLock(channel);
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The data folder " + folder.toAbsolutePath() + " cannot be used: " + FileFailure.words(e)
                            + ". Mend that, or name another folder with INBOXD_DATA_DIR.",
                    e);
        }
    }

    /**
     * The process that holds the lock; does not take it.
     *
     * @return the process id; null when the folder is free or missing
     */
    public static @Nullable String holder(Path folder) {
        Path file = folder.resolve("lock");
        if (!Files.isRegularFile(file)) {
            return null;
        }
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                if (channel.tryLock() == null) {
                    return read(channel);
                }
            } catch (OverlappingFileLockException e) {
                return Long.toString(ProcessHandle.current().pid()); // stays open, see take
            }
            channel.close();
            return null;
        } catch (IOException e) {
            return null;
        }
    }

    private static EmbeddedPostgresException inUse(Path folder, String holder) {
        return new EmbeddedPostgresException(
                "Another inboxd (" + holder + ") is using the data folder " + folder.toAbsolutePath()
                        + ". Stop it first, or give this one a folder of its own with INBOXD_DATA_DIR.");
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(LONGEST_PROCESS_ID);
        channel.read(content, 0);
        channel.close();
        return StandardCharsets.US_ASCII.decode(content.flip()).toString().strip();
    }

    /** Releases the folder. The file stays: deleting it could remove the lock of the next server. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
