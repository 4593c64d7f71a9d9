package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;

/** The keys of a snapshot's blobs, in a file until they are copied: the snapshot is not kept open so long. */
final class BlobNames implements AutoCloseable {
    private final Path file;
    private final Writer out;

    BlobNames() {
        try {
            this.file = Files.createTempFile("inboxd-backup", ".blobs"); // for its owner alone
            this.out = Files.newBufferedWriter(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void add(UUID organization, String name) {
        try {
            out.write(organization + " " + name + "\n");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Tells every key, in the order in which they were added; none can be added any more. */
    void forEach(Consumer<BlobKey> sink) {
        try {
            out.close();
            try (BufferedReader lines = Files.newBufferedReader(file)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] parts = line.split(" ", -1);
                    sink.accept(new BlobKey(UUID.fromString(parts[0]), parts[1]));
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
