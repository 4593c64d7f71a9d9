package dev.inboxd.mail.compose;

import dev.inboxd.mail.io.GeneratedStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Base64 with CRLF between its lines (RFC 2045 §6.8), encoded while it is read, some lines at a time. */
public final class Base64Stream extends GeneratedStream {
    private static final int LINES = 256;

    private final Base64.Encoder encoder;
    private final int octetsAtOnce;
    private final InputStream in;
    private boolean first = true;

    /** Encodes the stream in lines of 76 characters; closing this one closes it. */
    Base64Stream(InputStream in) {
        this(in, TransferEncoding.LINE);
    }

    /**
     * Encodes the stream; closing this one closes it.
     *
     * @param line characters of a line, a multiple of four
     */
    public Base64Stream(InputStream in, int line) {
        this.in = in;
        this.encoder = Base64.getMimeEncoder(line, new byte[] {'\r', '\n'});
        this.octetsAtOnce = line / 4 * 3 * LINES;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    @Override
    protected byte @Nullable [] make() throws IOException {
        var octets = in.readNBytes(octetsAtOnce);
        if (octets.length == 0) {
            return null;
        }
        int start = first ? 0 : 2;
        var lines = encoder.encode(octets);
        var encoded = new byte[start + lines.length];
        if (!first) {
            encoded[0] = '\r';
            encoded[1] = '\n';
        }
        System.arraycopy(lines, 0, encoded, start, lines.length);
        first = false;
        return encoded;
    }
}
