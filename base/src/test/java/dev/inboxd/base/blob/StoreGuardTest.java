package dev.inboxd.base.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of a store that is away: no fault of this node, and an outage all the same. */
class StoreGuardTest {
    private static final UUID ID = UUID.fromString("01a2181b-25be-7690-870b-052394bd8e50");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    @Test
    void aBucketThatIsOutOfReachOrHangsIsAwayAndNobodyWaitsLongForIt() throws IOException {
        int port;
        try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            port = hanging.getLocalPort();
            assertThatAway(port);
        }
        assertThatAway(port);
    }

    private static void assertThatAway(int port) {
        String url = "s3://key:secret@mail/a?endpoint=http://127.0.0.1:" + port;
        try (Blobs blobs = Blobs.at(url);
                StoreGuard guard = new StoreGuard(blobs, ID, MINUTE, () -> false)) {
            long start = System.nanoTime();
            assertThat(guard.outage()).contains("does not answer");
            for (int i = 0; i < 1_000; i++) {
                assertThat(guard.fault()).isNull();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void nothingIsDeletedWhileItIsHeld() {
        AtomicBoolean held = new AtomicBoolean(true);
        BlobKey key = BlobKey.random(ID);
        try (Blobs blobs = Blobs.at(folder.toString());
                StoreGuard guard = new StoreGuard(blobs, ID, Duration.ZERO, held::get)) {
            guard.writeStoreId(ID);
            guard.put(key, new ByteArrayInputStream(new byte[5]), 5);
            guard.delete(key);
            assertThat(guard.size(key)).hasValue(5);
            held.set(false);
            guard.delete(key);
            assertThat(guard.size(key)).isEmpty();
        }
    }

    @Test
    void aFolderThatCannotBeReadIsAwayUntilItCan() throws IOException {
        try (Blobs blobs = Blobs.at(folder.toString());
                StoreGuard guard = new StoreGuard(blobs, ID, Duration.ZERO, () -> false)) {
            guard.writeStoreId(ID);
            assertThat(guard.outage()).isNull();
            Path marker = folder.resolve("store.id");
            Files.delete(marker);
            Files.createDirectory(marker);
            assertThat(guard.outage()).contains("cannot be read");
            assertThat(guard.fault()).isNull();
            Files.delete(marker);
            assertThat(guard.outage()).isEqualTo(guard.fault()).contains("another one, or not mounted");
            guard.writeStoreId(ID);
            assertThat(guard.outage()).isNull();
        }
    }
}
