package dev.inboxd.inbound.authentication;

import java.io.IOException;
import java.io.InputStream;

/**
 * The octets of a message, readable any number of times: spooled from a session, or an outgoing message of this server.
 */
public sealed interface MessageBytes permits TracedMessage, RawMessage {
    /** The number of octets. */
    long size();

    /** SHA-256 of all octets, in lower-case hexadecimal. */
    String sha256();

    /** A stream of all octets; the caller closes it. */
    InputStream open() throws IOException;

    /** All octets; only for messages known to be small. */
    byte[] bytes() throws IOException;
}
