package dev.inboxd.mailbox.message;

import dev.inboxd.mail.compose.Base64Stream;
import dev.inboxd.platform.blob.BlobKey;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.io.BoundedStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A message whose large base64 stretches lie in blobs of their own, and everything else in one: put together again
 * octet by octet as it came (promise P13).
 *
 * @param rest the blob of everything else
 * @param pieces in their order
 */
record ChunkedMessage(Blobs blobs, UUID organization, String rest, List<SharedChunk> pieces) {
    /** At most so many of its octets from the offset on. */
    InputStream open(long offset, long wanted) {
        List<ConcatenatedStream.Section> stretches = new ArrayList<>();
        long position = 0;
        long between = 0;
        for (SharedChunk piece : pieces) {
            stretches.add(new Gap(between, piece.position() - position));
            stretches.add(new EncodedChunk(piece));
            between += piece.position() - position;
            position = piece.position() + piece.length();
        }
        stretches.add(new Gap(between, Long.MAX_VALUE));
        ConcatenatedStream stream = new ConcatenatedStream(stretches, offset, wanted);
        try {
            stream.begin();
            return stream;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** What lies between two pieces: a part of the rest. */
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
        public InputStream open(long offset, long wanted) {
            return blobs.open(new BlobKey(organization, rest), start + offset, Math.min(wanted, length - offset));
        }
    }

    /** A piece, encoded again as it is read. */
    private final class EncodedChunk implements ConcatenatedStream.Section {
        private final SharedChunk piece;

        EncodedChunk(SharedChunk piece) {
            this.piece = piece;
        }

        @Override
        public long length() {
            return piece.length();
        }

        @Override
        public InputStream open(long offset, long wanted) throws IOException {
            long line = piece.line() + 2L; // CRLF behind each
            long first = offset / line;
            // One line more than is wanted: without it the line end before it would be missing.
            long last = (Math.min(wanted, piece.length()) + offset) / line + 2;
            long octets = piece.line() / 4 * 3L;
            InputStream decoded =
                    blobs.open(new BlobKey(organization, piece.blob()), first * octets, (last - first) * octets);
            InputStream encoded =
                    new BoundedStream(new Base64Stream(decoded, piece.line()), piece.length() - first * line);
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
