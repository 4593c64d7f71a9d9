package dev.inboxd.smtp.client;

import java.io.IOException;
import java.io.OutputStream;

/** A message that can be written as often as attempts are made, the same bytes each time, with CRLF line ends only. */
@FunctionalInterface
public interface MessageSource {
    /** Writes the whole message. An exception ends the attempt, and the host never sees an end of data. */
    void writeTo(OutputStream out) throws IOException;
}
