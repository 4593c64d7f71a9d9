package dev.inboxd.mail.compose;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The content of an attachment, which can be read more than once: in memory or in the blob store. */
public interface AttachmentContent {
    /** Exact number of bytes of {@link #open}. */
    long length();

    /** Opens the content at its first byte; the reader closes the stream. */
    InputStream open() throws IOException;

    /** Bytes in memory; the array must not change afterwards. */
    static AttachmentContent of(byte[] bytes) {
        return new AttachmentContent() {
            @Override
            public long length() {
                return bytes.length;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(bytes);
            }
        };
    }
}
