package dev.inboxd.mail.compose;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The bytes of an attachment, held somewhere they can be read again: in memory or in the blob store. */
public interface AttachmentContent {
    /** The exact number of bytes {@link #open} yields. */
    long length();

    /** A fresh stream from the first byte; the reader closes it. */
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
