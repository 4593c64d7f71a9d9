package dev.inboxd.move;

import dev.inboxd.base.blob.BlobKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which blobs were compared in the pass before, in a file: each pass asks for blobs in the order of their keys, and
 * notes them in that order, so that no list of all is in memory.
 */
final class ComparedBlobs implements AutoCloseable {
    private @Nullable Path before;
    private @Nullable BufferedReader reader;
    private @Nullable String next;
    private @Nullable Path now;
    private @Nullable Writer writer;

    /** Begins a pass. */
    void begin() {
        close(reader);
        close(writer);
        delete(before);
        before = now;
        try {
            reader = before == null ? null : Files.newBufferedReader(before);
            next = reader == null ? null : reader.readLine();
            now = Files.createTempFile("inboxd-move", ".blobs"); // for its owner alone
            writer = Files.newBufferedWriter(now);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Whether a blob was compared in the pass before; each pass asks in the order of the keys. */
    boolean has(BlobKey key) {
        String line = line(key);
        try {
            while (reader != null && next != null && next.compareTo(line) < 0) {
                next = reader.readLine();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return line.equals(next);
    }

    /** Notes that a blob was compared, in this pass or before. */
    void add(BlobKey key) {
        try {
            if (writer != null) {
                writer.write(line(key) + "\n");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String line(BlobKey key) {
        return key.organization() + " " + key.name();
    }

    @Override
    public void close() {
        close(reader);
        close(writer);
        delete(before);
        delete(now);
    }

    private static void close(@Nullable AutoCloseable open) {
        try {
            if (open != null) {
                open.close();
            }
        } catch (Exception failure) {
            throw new IllegalStateException("A file of names cannot be written", failure);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
