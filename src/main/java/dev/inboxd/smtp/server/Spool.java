package dev.inboxd.smtp.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The octets of one received message, in memory when small, else in a temporary file that {@link #close} removes. */
public final class Spool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);

    private final byte[] memory;
    private final @Nullable Path file;
    private final Measure measure;
    private @Nullable Runnable release;

    /**
     * What was found out while the message came in.
     *
     * @param size octets in all
     * @param clientStart where the client's own octets begin: the length of our trace fields
     * @param contentDigest SHA-256 over the client's octets without the trace fields on top of them, in lower-case
     *     hexadecimal
     */
    record Measure(long size, int clientStart, String contentDigest) {}

    /**
     * The first {@code measure.size} octets of memory, or the file; {@code release} gives the memory back to the
     * budget.
     */
    Spool(byte[] memory, @Nullable Path file, Measure measure, Runnable release) {
        this.memory = memory;
        this.file = file;
        this.measure = measure;
        this.release = release;
    }

    /** Octets in all, our trace fields included. */
    public long size() {
        return measure.size();
    }

    /** Index of the client's first octet: the length of our own trace fields. */
    public int clientStart() {
        return measure.clientStart();
    }

    /**
     * SHA-256 of the client's octets without their leading trace fields, in hexadecimal: equal for true redeliveries.
     */
    public String contentDigest() {
        return measure.contentDigest();
    }

    /** The temporary file, or null when the message is in memory. It may be moved away or linked. */
    public @Nullable Path file() {
        return file;
    }

    /** The octets from the start; the caller closes the stream. */
    public InputStream open() throws IOException {
        return file == null ? new ByteArrayInputStream(memory, 0, (int) size()) : Files.newInputStream(file);
    }

    /**
     * Gives the memory back and removes the file if it is still there. Never fails: the next start removes what stayed.
     */
    @Override
    public void close() {
        if (release != null) {
            release.run();
            release = null;
        }
        if (file != null && !file.toFile().delete()) {
            LOG.debug("{} was already gone", file);
        }
    }
}
