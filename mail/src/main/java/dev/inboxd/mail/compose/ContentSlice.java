package dev.inboxd.mail.compose;

import dev.inboxd.mail.io.BoundedStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A range of another content, which is not copied.
 *
 * @param from offset of the first octet
 * @param to offset behind the last octet
 */
record ContentSlice(AttachmentContent source, long from, long to) implements AttachmentContent {
    @Override
    public long length() {
        return to - from;
    }

    @Override
    public InputStream open() throws IOException {
        InputStream in = source.open();
        in.skipNBytes(from);
        return to == source.length() ? in : new BoundedStream(in, length());
    }
}
