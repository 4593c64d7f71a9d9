package dev.inboxd.smtp.client;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes the content of a message inside DATA: leading dots are doubled. A line end other than CRLF is refused, so that
 * no content can end the data, and so is a NUL.
 */
final class DotStuffingStream extends OutputStream {
    private final OutputStream out;
    private byte last = '\n';
    private boolean lineStart = true;

    DotStuffingStream(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        int written = offset;
        for (int i = offset; i < offset + length; i++) {
            byte octet = octets[i];
            if ((octet == '\n') != (last == '\r')) {
                throw new IllegalArgumentException("The message holds a bare CR or LF"); // RFC 5321 §2.3.8
            }
            if (octet == 0) {
                throw new IllegalArgumentException("The message holds a NUL"); // RFC 2045 §2.8
            }
            if (lineStart && octet == '.') {
                out.write(octets, written, i - written);
                out.write('.'); // RFC 5321 §4.5.2
                written = i;
            }
            lineStart = octet == '\n';
            last = octet;
        }
        out.write(octets, written, offset + length - written);
    }

    /** Writes the line with the single dot, after the message's last line end or an added one. */
    void end() throws IOException {
        if (last == '\r') {
            throw new IllegalArgumentException("The message holds a bare CR or LF");
        }
        if (!lineStart) {
            out.write('\r');
            out.write('\n');
        }
        out.write('.');
        out.write('\r');
        out.write('\n');
    }
}
