package dev.inboxd.receive;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The octets of one received message, in memory when small, else in a temporary file that {@link #close} removes. */
public final class Spool implements Octets, AutoCloseable {
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
     * @param sha256 over all octets, in lower-case hexadecimal
     * @param contentDigest SHA-256 the same over the client's octets without the trace fields on top of them
     */
    record Measure(long size, int clientStart, String sha256, String contentDigest) {}

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
    @Override
    public long size() {
        return measure.size();
    }

    /** Index of the client's first octet: the length of our own trace fields. */
    public int clientStart() {
        return measure.clientStart();
    }

    /** SHA-256 of all octets, in lower-case hexadecimal. */
    @Override
    public String sha256() {
        return measure.sha256();
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
    @Override
    public InputStream open() throws IOException {
        return file == null ? new ByteArrayInputStream(memory, 0, (int) size()) : Files.newInputStream(file);
    }

    /** All octets in an array of their own. Only for messages known to be small: {@code file() == null}. */
    @Override
    public byte[] bytes() throws IOException {
        try (InputStream in = open()) {
            return in.readAllBytes();
        }
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
