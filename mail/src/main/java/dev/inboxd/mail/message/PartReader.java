package dev.inboxd.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;

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

    /**
     * The media types of all leaves as their sender wrote them, with the parameters that say something of the content,
     * by the {@link AttachmentPart#index} (RFC 2045 §5.1).
     *
     * @param raw as above; read to its end, not closed
     * @throws UncheckedIOException when the stream cannot be read
     */
    public static Map<Integer, String> mediaTypes(InputStream raw) {
        var types = new HashMap<Integer, String>();
        try {
            var walk = new EntityWalk(raw, EnumSet.noneOf(Defect.class));
            while (walk.next()) {
                var type = new StringBuilder(walk.leaf().mediaType());
                walk.leaf()
                        .type()
                        .others()
                        .forEach((name, value) -> type.append("; ")
                                .append(name)
                                .append("=\"")
                                .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                                .append('"'));
                types.put(walk.index(), type.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return types;
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
