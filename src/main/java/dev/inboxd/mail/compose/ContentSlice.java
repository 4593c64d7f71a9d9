package dev.inboxd.mail.compose;

import dev.inboxd.platform.io.BoundedStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Some octets of a larger content, which stay where they are.
 *
 * @param from the first
 * @param to behind the last
 */
record ContentSlice(AttachmentContent whole, long from, long to) implements AttachmentContent {
    @Override
    public long length() {
        return to - from;
    }

    @Override
    public InputStream open() throws IOException {
        InputStream in = whole.open();
        in.skipNBytes(from);
        return to == whole.length() ? in : new BoundedStream(in, length());
    }
}
