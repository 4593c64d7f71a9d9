package dev.inboxd.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.ForwardingBlobs;
import dev.inboxd.base.blob.StoredBlob;
import dev.inboxd.base.database.Database;
import dev.inboxd.server.retention.Retention;
import dev.inboxd.testing.TestPostgres;
import dev.inboxd.testing.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sweep of the store has no list of its blobs: names of ten times as many old ones take no more of the heap. The
 * store is a real folder; each organization has fewer blobs than are looked up together.
 */
class BlobSweepMemoryDbTest {
    private static final int FEW = TestSize.of(2_000, 5_000);
    private static final int MANY = 10 * FEW;
    private static final int EACH = 250;
    /** A list of the names has 130 octets for each, of which this is a quarter. */
    private static final long MOST = 30L * MANY;

    private final Database.Location location = TestPostgres.migrated();

    @Test
    @Tag("long")
    void tenTimesAsManyOldBlobsTakeNoMoreMemoryToSweep(@TempDir Path folder) throws IOException {
        fill(folder, MANY);
        try (Database database = new Database(location, null);
                Blobs blobs = Blobs.at(folder.toString())) {
            Watched watched = new Watched(blobs);
            InstantSource clock = InstantSource.offset(InstantSource.system(), Duration.ofDays(2));
            new Retention(database, watched, clock, Map.of()).sweep();
            assertThat(watched.seen).isEqualTo(MANY);
            System.out.printf("heap after %d names %d, after %d names %d%n", FEW, watched.few, MANY, watched.many);
            assertThat(watched.many - watched.few).isLessThan(MOST);
        }
    }

    private static void fill(Path folder, int number) throws IOException {
        for (int i = 0; i < number; i += EACH) {
            UUID organization = UUID.randomUUID();
            for (int j = 0; j < EACH; j++) {
                // Few folders: it is the number of names that matters.
                String name = "%02x%062x".formatted(j % 4, j);
                Path file = folder.resolve(new BlobKey(organization, name).path());
                if (j < 4) {
                    Files.createDirectories(file.getParent());
                }
                Files.createFile(file);
            }
        }
    }

    private static long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    /** Looks at the heap after a few blobs and after all. */
    private static final class Watched extends ForwardingBlobs {
        private int seen;
        private long few;
        private long many;

        Watched(Blobs blobs) {
            super(blobs);
        }

        @Override
        public void walk(Consumer<StoredBlob> visitor) {
            super.walk(blob -> {
                visitor.accept(blob);
                seen++;
                if (seen == FEW) {
                    few = used();
                } else if (seen == MANY) {
                    many = used();
                }
            });
        }
    }
}
