package dev.inboxd.base.blob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.blob.BlobException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every blob store does. */
interface BlobsContract {
    /** The store under test, of its own for each test. */
    Blobs blobs();

    @Test
    default void whatWasPutIsReadBack() throws IOException {
        byte[] content = new byte[3_000_000];
        new Random(7).nextBytes(content);
        BlobKey key = key();
        blobs().put(key, new ByteArrayInputStream(content), content.length);
        try (InputStream in = blobs().open(key)) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
    }

    @Test
    default void aStoreHasAnIdOnceItIsWrittenWhichIsNoBlob() {
        assertThat(blobs().storeId()).isEmpty();
        UUID id = new UUID(5, 6);
        blobs().writeStoreId(id);
        assertThat(blobs().storeId()).contains(id);
        List<StoredBlob> walked = new ArrayList<>();
        blobs().walk(walked::add);
        assertThat(walked).noneMatch(blob -> blob.key().path().contains("store.id"));
    }

    @Test
    default void aBlobHasASizeAndOneThatIsNotThereHasNone() {
        assertThat(blobs().size(stored("0123456789"))).hasValue(10);
        assertThat(blobs().size(key())).isEmpty();
    }

    @Test
    default void partsAreReadByOffsetAndLength() throws IOException {
        BlobKey key = stored("0123456789");
        assertThat(read(key, 3, 4)).isEqualTo("3456");
        assertThat(read(key, 8, 100)).isEqualTo("89");
        assertThat(read(key, 4, Long.MAX_VALUE)).isEqualTo("456789");
        assertThat(read(key, 0, 1)).isEqualTo("0");
        assertThat(read(key, 10, 5)).isEmpty();
        assertThat(read(key, 50, 5)).isEmpty();
        assertThat(read(key, 2, 0)).isEmpty();
    }

    @Test
    default void aStreamThatCanBeReadOnlyOnceIsStored() throws IOException {
        byte[] content = new byte[300_000];
        new Random(8).nextBytes(content);
        BlobKey key = key();
        blobs().put(
                        key,
                        new SequenceInputStream(
                                new ByteArrayInputStream(content, 0, 1_000),
                                new ByteArrayInputStream(content, 1_000, content.length - 1_000)),
                        content.length);
        try (InputStream in = blobs().open(key, 100, Long.MAX_VALUE)) {
            assertThat(in.readNBytes(10)).isEqualTo(Arrays.copyOfRange(content, 100, 110)); // and the rest stays unread
        }
        try (InputStream in = blobs().open(key)) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
    }

    @Test
    default void anEmptyBlobIsABlob() throws IOException {
        assertThat(read(stored(""), 0, Long.MAX_VALUE)).isEmpty();
    }

    @Test
    default void anExistingBlobIsNotRewritten() throws IOException {
        BlobKey key = stored("first");
        put(key, "other");
        assertThat(read(key, 0, 100)).isEqualTo("first");
    }

    @Test
    default void aBlobOfAnotherOrganizationIsAnotherBlob() throws IOException {
        BlobKey key = stored("mine");
        BlobKey other = new BlobKey(UUID.randomUUID(), key.name());
        assertThatThrownBy(() -> blobs().open(other)).isInstanceOf(BlobException.class);
        put(other, "theirs");
        assertThat(read(key, 0, 100) + read(other, 0, 100)).isEqualTo("minetheirs");
    }

    @Test
    default void aMissingBlobSaysSo() {
        assertThatThrownBy(() -> blobs().open(key()))
                .isInstanceOfSatisfying(
                        BlobException.class, e -> assertThat(e.kind()).isEqualTo(Kind.MISSING));
    }

    @Test
    default void aDeletedBlobIsGoneAndDeletingAgainIsNoFailure() {
        BlobKey key = stored("x");
        blobs().delete(key);
        blobs().delete(key);
        assertThatThrownBy(() -> blobs().open(key)).isInstanceOf(BlobException.class);
    }

    @Test
    default void aSourceOfAnotherLengthIsNotStored() {
        for (int size : List.of(4, 6)) {
            BlobKey key = key();
            assertThatThrownBy(() -> blobs().put(key, new ByteArrayInputStream("12345".getBytes(UTF_8)), size))
                    .isInstanceOfSatisfying(
                            BlobException.class, e -> assertThat(e.kind()).isEqualTo(Kind.SIZE));
            assertThatThrownBy(() -> blobs().open(key)).isInstanceOf(BlobException.class);
        }
    }

    @Test
    default void everyBlobIsVisited() {
        List<BlobKey> keys =
                IntStream.range(0, 30).mapToObj(i -> stored("x".repeat(i))).toList();
        List<StoredBlob> visited = new ArrayList<>();
        blobs().walk(visited::add);
        assertThat(visited).extracting(StoredBlob::key).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(visited).extracting(StoredBlob::bytes).contains(0L, 29L);
    }

    @Test
    default void manyWritersOfOneKeyLeaveOneWholeBlob() throws Exception {
        BlobKey key = key();
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                done.add(writers.submit(() -> {
                    start.await();
                    put(key, "same".repeat(10_000));
                    return key;
                }));
            }
            start.countDown();
            for (Future<?> one : done) {
                one.get();
            }
        }
        assertThat(read(key, 0, Long.MAX_VALUE)).isEqualTo("same".repeat(10_000));
    }

    private BlobKey stored(String content) {
        BlobKey key = key();
        put(key, content);
        return key;
    }

    private void put(BlobKey key, String content) {
        byte[] octets = content.getBytes(UTF_8);
        blobs().put(key, new ByteArrayInputStream(octets), octets.length);
    }

    private String read(BlobKey key, long offset, long length) throws IOException {
        try (InputStream in = blobs().open(key, offset, length)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static BlobKey key() {
        return new BlobKey(UUID.randomUUID(), UUID.randomUUID().toString().replace("-", ""));
    }
}
