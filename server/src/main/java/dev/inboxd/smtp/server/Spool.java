package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.MessageScanner;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The octets of one received message: in memory when it is small, otherwise in a temporary file that {@link #close}
 * removes.
 */
public final class Spool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);

    private final byte[] memory;
    private final @Nullable Path file;
    private final Measure measure;
    private @Nullable Runnable release;

    /**
     * Properties of a message, computed while it was received.
     *
     * @param size octets in all
     * @param clientStart index of the client's first octet, which is the length of our trace fields
     * @param contentDigest SHA-256 over the client's octets without the trace fields on top of them, in lower-case
     *     hexadecimal
     */
    record Measure(long size, int clientStart, String contentDigest) {}

    /**
     * A spooled message.
     *
     * @param memory the octets when {@code file} is null; the first {@code measure.size()} of them count
     * @param file the temporary file, or null
     * @param release returns the memory to the budget
     */
    Spool(byte[] memory, @Nullable Path file, Measure measure, Runnable release) {
        this.memory = memory;
        this.file = file;
        this.measure = measure;
        this.release = release;
    }

    /**
     * A message that is in memory as a whole.
     *
     * @param trace our trace fields
     * @param octets of the client
     */
    public static Spool of(byte[] trace, byte[] octets) {
        MessageDigest digest = Spools.sha256();
        new MessageScanner(digest).scan(octets, 0, octets.length);
        byte[] all = Arrays.copyOf(trace, trace.length + octets.length);
        System.arraycopy(octets, 0, all, trace.length, octets.length);
        return new Spool(
                all, null, new Measure(all.length, trace.length, HexFormat.of().formatHex(digest.digest())), () -> {});
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

    /** The temporary file, or null when the message is in memory. The caller may move or link it. */
    public @Nullable Path file() {
        return file;
    }

    /** A stream of all octets; the caller closes it. */
    public InputStream open() throws IOException {
        return file == null ? new ByteArrayInputStream(memory, 0, (int) size()) : Files.newInputStream(file);
    }

    /**
     * Returns the memory to the budget and removes the file if it still exists. Never throws: a file that stays is
     * removed at the next start.
     */
    @Override
    public void close() {
        if (release != null) {
            release.run();
            release = null;
        }
        if (file != null && !file.toFile().delete()) {
            LOG.debug("Spool file already removed file={}", file);
        }
    }
}
