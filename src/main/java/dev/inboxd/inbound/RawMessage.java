package dev.inboxd.inbound;

import java.io.IOException;
import java.io.InputStream;

/**
 * A message that this server already holds.
 *
 * @param id names it in the log
 * @param size its bytes
 * @param sha256 their digest in lower-case hexadecimal
 * @param source opens them from the start
 * @param isSystemMail whether the service itself wrote it, and nobody else had a hand in it
 */
public record RawMessage(String id, long size, String sha256, Source source, boolean isSystemMail)
        implements MessageBytes {
    /** Where the bytes are. */
    @FunctionalInterface
    public interface Source {
        /** A stream from the start, which the caller closes. */
        InputStream open() throws IOException;
    }

    @Override
    public InputStream open() throws IOException {
        return source.open();
    }

    @Override
    public byte[] bytes() throws IOException {
        try (InputStream in = open()) {
            return in.readAllBytes();
        }
    }
}
