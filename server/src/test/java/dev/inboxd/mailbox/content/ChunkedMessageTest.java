package dev.inboxd.mailbox.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.StoredBlob;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ChunkedMessageTest {
    private static final SharedChunk PIECE = new SharedChunk(0, 1_000, 76, 700, "0123456789abcdef", new byte[0], false);

    @Test
    void aPieceThatEndsBeforeItsOffsetLeavesNoStreamOpen() {
        try (Empty blobs = new Empty()) {
            ChunkedMessage message = new ChunkedMessage(blobs, new UUID(1, 2), "0123456789abcdef", List.of(PIECE));
            assertThatThrownBy(() -> message.open(80, 10)).isInstanceOf(UncheckedIOException.class);
            assertThat(blobs.open).hasValue(0);
        }
    }

    /** A store whose blobs have lost their octets, and which counts what is open. */
    private static final class Empty implements Blobs {
        private final AtomicInteger open = new AtomicInteger();

        @Override
        public InputStream open(BlobKey key, long offset, long length) {
            open.incrementAndGet();
            return new FilterInputStream(InputStream.nullInputStream()) {
                @Override
                public void close() throws IOException {
                    open.decrementAndGet();
                    super.close();
                }
            };
        }

        @Override
        public OptionalLong size(BlobKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void put(BlobKey key, InputStream content, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void delete(BlobKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void walk(Consumer<StoredBlob> visitor) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<UUID> storeId() {
            return Optional.empty();
        }

        @Override
        public void writeStoreId(UUID id) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
