package dev.inboxd.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumSet;

/** Reads one part of a stored message again, decoded. */
public final class PartReader {
    private PartReader() {}

    /**
     * Opens a part as a stream; the message is not held in memory.
     *
     * @param raw the same octets that were parsed; closed with the result
     * @param index an {@link AttachmentPart#index}
     * @throws IllegalArgumentException when the message has no such part
     * @throws UncheckedIOException when the stream cannot be read
     */
    public static InputStream open(InputStream raw, int index) {
        try {
            var walk = new EntityWalk(raw, EnumSet.noneOf(Defect.class));
            while (walk.next()) {
                if (walk.index() == index) {
                    return new ClosingInputStream(walk.content(), raw);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalArgumentException("The message has no part " + index);
    }

    private static final class ClosingInputStream extends java.io.FilterInputStream {
        private final InputStream raw;

        ClosingInputStream(InputStream content, InputStream raw) {
            super(content);
            this.raw = raw;
        }

        @Override
        public void close() throws IOException {
            raw.close();
        }
    }
}
