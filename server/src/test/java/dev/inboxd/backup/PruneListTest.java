package dev.inboxd.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.testing.HeldMemory;
import dev.inboxd.testing.TestSize;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deleting old backups costs no memory for each name that is kept. */
class PruneListTest {
    private static final UUID ORGANIZATION = new UUID(1, 2);
    private static final long FEW = TestSize.of(4_000, 10_000);
    private static final long MANY = 6 * FEW;

    @TempDir
    private Path folder;

    /** A place with a backup that names so many blobs. */
    private BackupStore place(long names) {
        BackupStore store = BackupStore.at(folder.resolve(String.valueOf(names)).toString());
        StoredList pages = new StoredList(store);
        for (long i = 0; i < names; i++) {
            pages.add(new BlobEntry(key(i), 1, "0".repeat(64)).json());
        }
        Snapshot.Identity source = new Snapshot.Identity(new UUID(3, 4), new byte[0], new UUID(5, 6));
        Manifest manifest = new Manifest(
                Manifest.newId(Instant.EPOCH),
                source,
                Instant.EPOCH,
                "test",
                List.of(),
                List.of(),
                List.of(),
                new Manifest.BlobList(names, names, List.of(), pages.end()),
                null);
        store.put(manifest.key(), manifest.content(Optional.empty()));
        return store;
    }

    private static BlobKey key(long number) {
        return new BlobKey(ORGANIZATION, String.format("%032x", number));
    }

    @Test
    @Tag("long")
    void whatIsHeldDoesNotGrowWithTheNames() throws Exception {
        try (BackupStore few = place(FEW);
                BackupStore many = place(MANY)) {
            HeldMemory.of(() -> PruneList.of(few, 1)); // what is loaded once
            long least = HeldMemory.of(() -> PruneList.of(few, 1));
            long most = HeldMemory.of(() -> PruneList.of(many, 1));
            assertThat(most)
                    .as("octets held for %d names, and %d for %d", MANY, least, FEW)
                    .isLessThan(2 * least + (1 << 20));
        }
    }

    @Test
    void whatNoBackupNamesGoesAndEverythingElseStays() {
        try (BackupStore store = place(3)) {
            for (int i = 0; i < 5; i++) {
                store.blobs().put(key(i), new ByteArrayInputStream(new byte[1]), 1);
            }
            store.damaged().put(key(1), new ByteArrayInputStream(new byte[1]), 1);
            store.damaged().put(key(7), new ByteArrayInputStream(new byte[1]), 1);
            assertThat(store.keep(1)).isEmpty();
            for (int i = 0; i < 5; i++) {
                assertThat(store.blobs().size(key(i)).isPresent()).isEqualTo(i < 3);
            }
            assertThat(store.damaged().size(key(1))).isEmpty();
            assertThat(store.damaged().size(key(7))).isEmpty();
        }
    }
}
