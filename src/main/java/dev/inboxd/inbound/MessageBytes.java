package dev.inboxd.inbound;

import java.io.IOException;
import java.io.InputStream;

/** The bytes of a message, readable as often as needed: spooled from a session, or those of a message we hold. */
sealed interface MessageBytes permits TracedMessage, RawMessage {
    /** How many. */
    long size();

    /** SHA-256 of all of them, in lower-case hexadecimal. */
    String sha256();

    /** All of them from the start; the caller closes the stream. */
    InputStream open() throws IOException;

    /** All of them; only for messages known to be small. */
    byte[] bytes() throws IOException;
}
