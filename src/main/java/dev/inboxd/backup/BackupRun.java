package dev.inboxd.backup;

import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Migrations;
import dev.inboxd.platform.database.copy.RowChunk;
import dev.inboxd.platform.database.copy.Snapshot;
import dev.inboxd.platform.database.copy.TableDigest;
import dev.inboxd.platform.database.copy.TableLayout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Makes a backup of an installation that may run meanwhile. The rows are those of one moment, and no blob is deleted from
 * before that moment until the last one is copied; the manifest comes last. What earlier backups stored is not stored
 * again. Killed anywhere, it leaves what the next one uses.
 */
public final class BackupRun {
    private final Database database;
    private final Blobs blobs;
    private final BackupStore store;
    private final Origin origin;
    private final Consumer<String> progress;
    private long rowsDone;
    private long bytesDone;
    private long chunks;
    private long newChunks;
    private long written;

    /**
     * Who makes a backup.
     *
     * @param version of this program
     * @param keys the fingerprints of the master keys that it has
     */
    public record Origin(String version, List<String> keys) {
        public Origin {
            keys = List.copyOf(keys);
        }
    }

    /**
     * What was done.
     *
     * @param manifest of the backup
     * @param chunks of rows in it
     * @param newChunks of them, those that no earlier backup had
     * @param newBlobs blobs that no earlier backup had
     * @param written octets that were added to the store, without the manifest
     */
    public record Outcome(Manifest manifest, long chunks, long newChunks, long newBlobs, long written) {}

    /**
     * A backup.
     *
     * @param database of the installation
     * @param blobs its store
     * @param store where backups lie
     * @param progress is told now and then what is being done, for people
     */
    public BackupRun(Database database, Blobs blobs, BackupStore store, Origin origin, Consumer<String> progress) {
        this.database = database;
        this.blobs = blobs;
        this.store = store;
        this.origin = origin;
        this.progress = progress;
    }

    /**
     * Makes it.
     *
     * @param kept how many backups there are to be in the store afterwards, the oldest go; 0: none goes
     * @throws BackupException when it cannot be made, or another one runs
     * @throws dev.inboxd.platform.database.SchemaException when the database is of a later version than this program
     */
    public Outcome run(int kept) {
        try (BackupLease lease = BackupLease.take(database, progress)) {
            Optional<Manifest> previous = previous();
            try (BlobNames names = new BlobNames()) {
                Snapshot.Identity source;
                Instant at;
                List<String> migrations;
                List<Manifest.Table> tables;
                try (Snapshot snapshot = Snapshot.of(database.location())) {
                    at = Instant.now();
                    source = identity(snapshot, previous);
                    migrations = snapshot.migrations();
                    Migrations.requireKnown(migrations);
                    snapshot.blobs(names::add);
                    tables = tables(snapshot, lease);
                }
                BlobTransfer transfer = new BlobTransfer(blobs, store, lease, progress);
                Manifest.BlobList blobList = transfer.run(names, previous);
                lease.require();
                Manifest manifest = new Manifest(
                        Manifest.newId(at), source, at, origin.version, migrations, origin.keys, tables, blobList);
                store.put(manifest);
                if (kept > 0) {
                    store.keep(kept);
                }
                return new Outcome(manifest, chunks, newChunks, transfer.newBlobs(), written + transfer.written());
            }
        }
    }

    private Optional<Manifest> previous() {
        return store.all().reversed().stream().findFirst().map(store::manifest);
    }

    /** One place has the backups of one installation, and the blobs are those that its database names. */
    private Snapshot.Identity identity(Snapshot snapshot, Optional<Manifest> previous) {
        Snapshot.Identity source = snapshot.identity()
                .orElseThrow(() -> new BackupException(
                        "The service was never started on this database: there is nothing to back up."));
        UUID before = previous.map(manifest -> manifest.source().id()).orElse(source.id());
        if (!before.equals(source.id())) {
            throw new BackupException(
                    "The backups there are of another installation (" + before + "): name another folder or prefix.");
        }
        if (!blobs.storeId().equals(Optional.of(source.store()))) {
            throw new BackupException("The blob store is not the one of this database, or its disk is not mounted: name"
                    + " the right one in INBOXD_BLOB_URL.");
        }
        return source;
    }

    private List<Manifest.Table> tables(Snapshot snapshot, BackupLease lease) {
        List<Manifest.Table> tables = new ArrayList<>();
        for (TableLayout table : snapshot.tables()) {
            EntryPages pages = new EntryPages(store);
            TableDigest digest = snapshot.read(table, chunk -> {
                lease.require();
                add(table, chunk);
                pages.add(ChunkEntry.of(chunk).json());
            });
            tables.add(new Manifest.Table(table, digest, pages.end()));
            written += pages.written();
        }
        return tables;
    }

    private void add(TableLayout table, RowChunk chunk) {
        long stored = store.put(chunk.sha256(), chunk.content());
        chunks++;
        newChunks += stored > 0 ? 1 : 0;
        written += stored;
        rowsDone += chunk.rows();
        bytesDone += chunk.content().length;
        progress.accept("rows: " + table.table() + ", " + rowsDone + " rows, " + (bytesDone >> 20) + " MiB read, "
                + (written >> 20) + " MiB written");
    }
}
