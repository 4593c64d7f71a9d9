package dev.inboxd.mailbox.content;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.mail.compose.Base64Stream;
import dev.inboxd.mail.io.BoundedStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A message of which large base64 sections are in blobs of their own, and everything else is in one blob. Reading
 * gives the original octets (promise P13).
 *
 * @param remainder name of the blob with everything else
 * @param chunks the sections, in their order
 */
public record ChunkedMessage(Blobs blobs, UUID organization, String remainder, List<SharedChunk> chunks) {
    /**
     * Opens the message.
     *
     * @param offset the first octet to read
     * @param most the largest number of octets that will be read
     */
    public InputStream open(long offset, long most) {
        List<ConcatenatedStream.Section> sections = new ArrayList<>();
        long position = 0;
        long between = 0;
        for (SharedChunk chunk : chunks) {
            sections.add(new Gap(between, chunk.position() - position));
            sections.add(new EncodedChunk(chunk));
            between += chunk.position() - position;
            position = chunk.position() + chunk.length();
        }
        sections.add(new Gap(between, Long.MAX_VALUE));
        ConcatenatedStream stream = new ConcatenatedStream(sections, offset, most);
        try {
            stream.begin();
            return stream;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The octets between two chunks: a range of the rest. */
    private final class Gap implements ConcatenatedStream.Section {
        private final long start;
        private final long length;

        Gap(long start, long length) {
            this.start = start;
            this.length = length;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public InputStream open(long offset, long most) {
            return blobs.open(new BlobKey(organization, remainder), start + offset, Math.min(most, length - offset));
        }
    }

    /** A chunk, encoded again while it is read. */
    private final class EncodedChunk implements ConcatenatedStream.Section {
        private final SharedChunk chunk;

        EncodedChunk(SharedChunk chunk) {
            this.chunk = chunk;
        }

        @Override
        public long length() {
            return chunk.length();
        }

        @Override
        public InputStream open(long offset, long most) throws IOException {
            long line = chunk.line() + 2L; // CRLF after each
            long first = offset / line;
            // One line more than is asked for: without it the line end before it would be missing.
            long last = (Math.min(most, chunk.length()) + offset) / line + 2;
            long octets = chunk.line() / 4 * 3L;
            InputStream decoded =
                    blobs.open(new BlobKey(organization, chunk.blob()), first * octets, (last - first) * octets);
            InputStream encoded =
                    new BoundedStream(new Base64Stream(decoded, chunk.line()), chunk.length() - first * line);
            try {
                encoded.skipNBytes(offset - first * line);
                return encoded;
            } catch (IOException | RuntimeException failure) {
                try (decoded) {
                    throw failure;
                }
            }
        }
    }
}
