package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.database.copy.DigestSum;
import dev.inboxd.base.database.copy.KeyRange;
import dev.inboxd.base.database.copy.RowChunk;
import dev.inboxd.base.database.copy.TableDigest;
import dev.inboxd.base.vault.Vault;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a backup from its beginning to its end, and sees that it is all there and unchanged. What is damaged is put
 * aside, so that it does not count as there and the next backup writes it again.
 */
final class BackupCheck {
    private static final int MOST_FAULTS = 100;

    private final BackupStore store;
    private final Manifest manifest;
    private final Consumer<String> progress;
    private final Consumer<BlobKey> damaged;
    private final List<String> faults = new ArrayList<>();
    private long count;

    /**
     * A check.
     *
     * @param progress is told now and then what is being done, for people
     * @param damaged is told of each part that is
     */
    BackupCheck(BackupStore store, Manifest manifest, Consumer<String> progress, Consumer<BlobKey> damaged) {
        this.store = store;
        this.manifest = manifest;
        this.progress = progress;
        this.damaged = damaged;
    }

    /**
     * What is wrong with a backup.
     *
     * @param count how many faults there are; none when it can be restored
     * @param sentences one for each, and no more than some
     */
    record Faults(long count, List<String> sentences) {
        Faults {
            sentences = List.copyOf(sentences);
        }
    }

    /** Reads it. */
    Faults faults() {
        manifest.tables().forEach(this::check);
        for (String page : manifest.blobs().pages()) {
            guarded(page, () -> StoredList.forEachEntry(store, page, line -> check(BlobEntry.of(line))));
        }
        manifest.blobs()
                .missing()
                .forEach(path -> fault("The blob " + path + " was missing when the backup was made."));
        return new Faults(count, faults);
    }

    private void fault(String sentence) {
        count++;
        if (faults.size() < MOST_FAULTS) {
            faults.add(sentence);
        }
    }

    private void check(Manifest.Table table) {
        // Without a key: what is sealed stays sealed, as it was when the digest was made.
        Vault none = new Vault(List.of());
        DigestSum sum = new DigestSum(table.layout().table());
        long before = count;
        table.pages()
                .forEach(page -> guarded(
                        page,
                        () -> StoredList.forEachEntry(store, page, line -> {
                            ChunkEntry entry = ChunkEntry.of(line);
                            guarded(entry.sha256(), () -> add(sum, table, entry, none));
                            progress.accept("checked: rows of " + table.layout().table());
                        })));
        TableDigest digest = sum.sum();
        if (count == before && !digest.equals(table.digest())) {
            fault("The table " + table.layout().table() + " has " + digest.rows() + " rows in the backup, which are not"
                    + " the " + table.digest().rows() + " of its manifest.");
        }
    }

    private void add(DigestSum sum, Manifest.Table table, ChunkEntry entry, Vault none) {
        byte[] content = store.content(entry.sha256());
        sum.add(table.layout(), new RowChunk(KeyRange.ALL, entry.first(), entry.last(), entry.rows(), content), none);
    }

    private void check(BlobEntry entry) {
        OptionalLong size = store.blobs().size(entry.key());
        if (size.isEmpty()) {
            fault("The blob " + entry.key().path() + " is missing.");
            damaged.accept(entry.key());
        } else if (size.getAsLong() != entry.bytes() || !isWhole(entry)) {
            fault("The blob " + entry.key().path() + " does not have the content that it had.");
            putAside(entry.key());
        }
        progress.accept("checked: blobs");
    }

    private boolean isWhole(BlobEntry entry) {
        try {
            return Attempts.of(() -> BlobTransfer.digest(store.blobs(), entry.key()))
                    .equals(entry.sha256());
        } catch (BlobException | UncheckedIOException unreadable) {
            return false;
        }
    }

    /** @param sha256 the digest under which lies what is read first */
    private void guarded(String sha256, Runnable part) {
        try {
            part.run();
        } catch (DamagedException damage) {
            fault(String.valueOf(damage.getMessage()));
            putAside(BackupStore.rowKey(sha256));
        }
    }

    private void putAside(BlobKey key) {
        damaged.accept(key);
        String refused = refusalToPutAside(store, key);
        if (refused != null) {
            fault(refused);
        }
    }

    /**
     * Puts something aside. A place that may only be read is checked all the same.
     *
     * @return what is to be done by hand, for people; null when it was put aside
     */
    static @Nullable String refusalToPutAside(BackupStore store, BlobKey key) {
        try {
            store.putAside(store.place(key), key);
            return null;
        } catch (RuntimeException refused) {
            return "It cannot be put aside (" + refused.getMessage() + "): delete " + key.path()
                    + " by hand, so that the next backup writes it again.";
        }
    }
}
