package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.copy.CopyTarget;
import dev.inboxd.base.database.copy.DigestSum;
import dev.inboxd.base.database.copy.KeyRange;
import dev.inboxd.base.database.copy.RowChunk;
import dev.inboxd.base.database.copy.RowKey;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.base.database.copy.TableDigest;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.vault.Vault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes an installation from a backup, in an empty database and an empty blob store. Killed anywhere, it is run again
 * and goes on; until its end no service starts on the database.
 */
public final class RestoreRun {
    private final BackupStore store;
    private final Manifest manifest;
    private final Target target;
    private final Consumer<String> progress;
    private final Map<String, TableDigest> expected = new HashMap<>();
    private long rowsDone;
    private long blobsDone;

    /**
     * Where to.
     *
     * @param location of the database
     * @param blobs its blob store
     * @param vault with the master keys of the target first, and that of the source among or behind them
     * @param isReplacement whether the original is gone, so that this one takes its place, its blob store included
     */
    public record Target(Database.Location location, Blobs blobs, Vault vault, boolean isReplacement) {}

    /** @param progress is told now and then what is being done, for people */
    public RestoreRun(BackupStore store, Manifest manifest, Target target, Consumer<String> progress) {
        this.store = store;
        this.manifest = manifest;
        this.target = target;
        this.progress = progress;
    }

    /**
     * Restores it.
     *
     * @param last is run before a service can start on the database
     * @throws dev.inboxd.base.database.copy.CopyException when the database is not empty
     * @throws dev.inboxd.base.database.SchemaException when the backup is of a later version than this program
     * @throws BackupException when no key opens the secrets of the backup, and nothing was written; when the backup is
     *     damaged, or the blob store is another's
     */
    public void run(Runnable last) {
        manifest.require(target.vault);
        if (!manifest.blobs().missing().isEmpty()) {
            progress.accept("The backup lacks blobs that were missing when it was made.");
        }
        try (CopyTarget copy = CopyTarget.begin(target.location, "backup " + manifest.id(), manifest.migrations())) {
            UUID storeId = claimStore(copy.id());
            if (!copy.isWhole()) {
                manifest.tables().forEach(table -> write(copy, table));
                compare();
                manifest.blobs()
                        .pages()
                        .forEach(page -> StoredList.forEachEntry(store, page, line -> copy(BlobEntry.of(line))));
            }
            copy.migrate();
            try (Database database = new Database(target.location, null)) {
                database.runGlobal(tx -> {
                    clearOriginalState(tx, storeId);
                    if (!target.isReplacement) {
                        MarkChanges.hold(tx, "restore");
                    }
                });
            }
            last.run();
            copy.complete();
        }
    }

    /** The store gets an id of its own; so the original's can never be taken for it. */
    private UUID claimStore(UUID own) {
        UUID storeId = target.blobs.storeId().orElse(null);
        if (storeId == null) {
            target.blobs.writeStoreId(own);
            return own;
        }
        if (storeId.equals(own)) {
            return own;
        }
        if (storeId.equals(manifest.source().store()) && target.isReplacement) {
            return storeId;
        }
        throw new BackupException(
                storeId.equals(manifest.source().store())
                        ? "The blob store is the one of the original, whose blobs this copy would delete: name another"
                                + " in INBOXD_BLOB_URL, or say --replace if the original is gone."
                        : "The blob store belongs to another installation (its store.id is " + storeId
                                + "): name an empty one in INBOXD_BLOB_URL.");
    }

    private void write(CopyTarget copy, Manifest.Table table) {
        List<ChunkEntry> entries = new ArrayList<>();
        DigestSum sum = new DigestSum(table.layout().table());
        DigestSum sealed = new DigestSum(table.layout().table());
        Vault none = new Vault(List.of());
        @Nullable RowKey[] after = {null};
        Consumer<ChunkEntry> write = entry -> {
            boolean isLast = entries.isEmpty();
            RowChunk chunk = new RowChunk(
                    new KeyRange(after[0], isLast ? null : entry.last()),
                    entry.first(),
                    entry.last(),
                    entry.rows(),
                    store.content(entry.sha256()));
            copy.write(table.layout(), chunk, target.vault.reseal());
            sum.add(table.layout(), chunk, target.vault);
            sealed.add(table.layout(), chunk, none);
            after[0] = entry.last();
            rowsDone += entry.rows();
            progress.accept("rows: " + table.layout().table() + ", " + rowsDone + " of " + manifest.rows());
        };
        // A chunk is written when the next one is known: the last one of a table goes to its end.
        table.pages()
                .forEach(page -> StoredList.forEachEntry(store, page, line -> {
                    entries.add(ChunkEntry.of(line));
                    if (entries.size() > 1) {
                        write.accept(entries.removeFirst());
                    }
                }));
        if (!entries.isEmpty()) {
            write.accept(entries.removeFirst());
        }
        if (!sealed.sum().equals(table.digest())) {
            throw new DamagedException(
                    "The backup is damaged: the table " + table.layout().table() + " is not what its manifest says.");
        }
        expected.put(table.layout().table(), sum.sum());
    }

    /** Reads every table of the target again. */
    private void compare() {
        try (Snapshot written = Snapshot.of(target.location)) {
            for (Manifest.Table table : manifest.tables()) {
                progress.accept("comparing: " + table.layout().table());
                TableDigest digest = written.digest(table.layout(), target.vault);
                if (!digest.equals(expected.get(table.layout().table()))) {
                    throw new BackupException("The table " + table.layout().table() + " has " + digest.rows()
                            + " rows in the database, which are not the "
                            + table.digest().rows() + " of the backup.");
                }
            }
        }
    }

    private void copy(BlobEntry entry) {
        OptionalLong storedSize = target.blobs.size(entry.key());
        if (storedSize.isEmpty() || storedSize.getAsLong() != entry.bytes()) {
            String sha256 = Attempts.of(() -> copied(entry));
            if (!sha256.equals(entry.sha256())) {
                target.blobs.delete(entry.key());
                throw new DamagedException("The backup is damaged: the blob "
                        + entry.key().path() + " does not have the content that it had.");
            }
        }
        blobsDone++;
        progress.accept("blobs: " + blobsDone + " of " + manifest.blobs().count());
    }

    private String copied(BlobEntry entry) {
        try {
            return BlobTransfer.copied(store.blobs(), target.blobs, entry.key(), entry.bytes());
        } catch (BlobException missing) {
            throw new DamagedException(
                    "The backup is damaged: the blob " + entry.key().path()
                            + (missing.kind() == BlobException.Kind.MISSING ? " is missing." : " has another length."));
        }
    }

    /** What was true of the original at that moment alone: its store, this backup, and that it was about to move. */
    private static void clearOriginalState(Tx tx, UUID storeId) {
        tx.sql("update installation set store_id = :store, store_marked = true, backup_id = null, backup_until = null,"
                        + " read_only_at = null, moved_at = null, moved_to = null where name = 'inboxd'")
                .bind("store", storeId)
                .run();
        MarkChanges.open(tx);
    }
}
