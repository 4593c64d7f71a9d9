package dev.inboxd.smtp.client;

import java.io.IOException;
import java.io.OutputStream;

/** The content of a message. Every attempt writes it again, with the same octets; line ends are CRLF only. */
@FunctionalInterface
public interface MessageSource {
    /** Writes the whole message. An exception ends the attempt, and the host never sees the end of data. */
    void writeTo(OutputStream out) throws IOException;
}
