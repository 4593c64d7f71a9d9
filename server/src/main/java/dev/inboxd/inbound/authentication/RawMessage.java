package dev.inboxd.inbound.authentication;

import java.io.IOException;
import java.io.InputStream;

/**
 * An outgoing message of this server.
 *
 * @param id identifies it in the log
 * @param size its octets
 * @param sha256 its digest in lower-case hexadecimal
 * @param source opens its octets from the start
 * @param isSystemMail whether the service itself wrote it without any content of a user
 */
public record RawMessage(String id, long size, String sha256, Source source, boolean isSystemMail)
        implements MessageBytes {
    /** The source of the octets. */
    @FunctionalInterface
    public interface Source {
        /** A stream from the first octet; the caller closes it. */
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
