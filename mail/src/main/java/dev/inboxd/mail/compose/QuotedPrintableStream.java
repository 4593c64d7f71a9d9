package dev.inboxd.mail.compose;

import dev.inboxd.mail.io.GeneratedStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Quoted-printable (RFC 2045 §6.7) of foreign content, encoded while it is read. */
final class QuotedPrintableStream extends GeneratedStream {
    private static final int AT_ONCE = 16 * 1024;

    private final InputStream in;
    private final QuotedPrintable encoder = new QuotedPrintable(AT_ONCE + AT_ONCE / 8, true);
    private byte[] unencoded = new byte[0];
    private boolean ended;

    /** Encodes the stream; closing this one closes it. */
    QuotedPrintableStream(InputStream in) {
        this.in = in;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    @Override
    protected byte @Nullable [] make() throws IOException {
        if (ended) {
            return null;
        }
        var text = Arrays.copyOf(unencoded, unencoded.length + AT_ONCE);
        int count = in.readNBytes(text, unencoded.length, AT_ONCE);
        ended = count < AT_ONCE;
        text = ended ? Arrays.copyOf(text, unencoded.length + count) : text;
        unencoded = Arrays.copyOfRange(text, encoder.encode(text, ended), text.length);
        return encoder.drain();
    }
}
