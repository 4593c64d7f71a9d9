package dev.inboxd.mail.compose;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Checks whether a stream is 7bit data (RFC 2045 §2.7): ASCII without NUL, CRLF line ends only, lines of at most 998.
 */
final class SevenBitCheck {
    private static final int LINE = 998;

    private SevenBitCheck() {}

    /** Whether the stream, read to its end, is 7bit data without a line that begins with the delimiter. */
    static boolean holds(InputStream stream, String delimiter) throws IOException {
        var in = new BufferedInputStream(stream);
        int column = 0;
        int matched = 0;
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\r' && in.read() == '\n') {
                column = 0;
                matched = 0;
                continue;
            }
            if (c == 0 || c >= 0x80 || c == '\r' || c == '\n' || ++column > LINE) {
                return false;
            }
            if (matched == column - 1 && matched < delimiter.length() && c == delimiter.charAt(matched)) {
                matched++;
                if (matched == delimiter.length()) {
                    return false;
                }
            }
        }
        return true;
    }
}
