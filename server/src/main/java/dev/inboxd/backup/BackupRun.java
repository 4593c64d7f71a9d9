package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.copy.RowChunk;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.base.database.copy.TableDigest;
import dev.inboxd.base.database.copy.TableLayout;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.base.vault.Vault;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Makes a backup of an installation that may run meanwhile. The rows are those of one moment, and no blob is deleted
 * from before that moment until the last one is copied; the manifest comes last. What earlier backups stored is not
 * stored again. Killed anywhere, it leaves what the next one uses.
 */
public final class BackupRun {
    private final Origin origin;
    private final BackupStore store;
    private final Consumer<String> progress;
    private final Consumer<String> report;
    private long rowsDone;
    private long bytesDone;
    private long chunks;
    private long newChunks;
    private long written;

    /**
     * What is backed up, and by whom.
     *
     * @param database of the installation
     * @param blobs its store
     * @param version of this program
     * @param keys the fingerprints of the master keys that it has
     * @param vault with these keys, to seal the manifest; empty when there are none
     */
    public record Origin(Database database, Blobs blobs, String version, List<String> keys, Optional<Vault> vault) {
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
     * @param faults what was found damaged in the store; nothing of it is in this backup
     * @param unknown backups that are kept and damaged, because of which nothing but old manifests was deleted
     */
    public record Outcome(
            Manifest manifest,
            long chunks,
            long newChunks,
            long newBlobs,
            long written,
            int faults,
            List<String> unknown) {
        public Outcome {
            unknown = List.copyOf(unknown);
        }
    }

    /**
     * A backup.
     *
     * @param store where backups lie
     * @param progress is told now and then what is being done, for people
     * @param report gets a sentence for what was found damaged
     */
    public BackupRun(Origin origin, BackupStore store, Consumer<String> progress, Consumer<String> report) {
        this.origin = origin;
        this.store = store;
        this.progress = progress;
        this.report = report;
    }

    /**
     * Makes it.
     *
     * @param backupsToKeep how many backups there are to be in the store afterwards, the oldest go; 0: none goes
     * @throws BackupException when it cannot be made, or another one runs
     * @throws dev.inboxd.base.database.SchemaException when the database is of a later version than this program
     */
    public Outcome run(int backupsToKeep) {
        try (BackupLease lease = BackupLease.take(origin.database, progress)) {
            requireOwnPlace();
            progress.accept("looking at what is there");
            int faults = StoreInspection.run(store, report);
            try (BlobNames names = new BlobNames()) {
                return backUp(lease, names, backupsToKeep, faults);
            }
        }
    }

    private Outcome backUp(BackupLease lease, BlobNames names, int backupsToKeep, int faults) {
        Snapshot.Identity source;
        Instant at;
        List<String> migrations;
        List<Manifest.Table> tables;
        try (Snapshot snapshot = Snapshot.of(origin.database.location())) {
            at = Instant.now();
            source = identity(snapshot);
            migrations = snapshot.migrations();
            Migrations.requireKnown(migrations);
            snapshot.blobs(names::add);
            tables = tables(snapshot, lease);
        }
        BlobTransfer transfer =
                new BlobTransfer(origin.blobs, store, lease, new BlobTransfer.Listeners(progress, report));
        Manifest.BlobList blobList = transfer.run(names, previous());
        lease.require();
        Manifest manifest = new Manifest(
                Manifest.newId(at), source, at, origin.version, migrations, origin.keys, tables, blobList, null);
        store.put(manifest.key(), manifest.content(vault(source)));
        List<String> unknown = backupsToKeep > 0 ? store.keep(backupsToKeep) : List.of();
        return new Outcome(
                manifest,
                chunks,
                newChunks,
                transfer.newBlobs(),
                written + transfer.written(),
                faults + transfer.faults(),
                unknown);
    }

    /** One place has the backups of one installation; nothing of another one's is looked at. */
    private void requireOwnPlace() {
        UUID own;
        try (Snapshot snapshot = Snapshot.of(origin.database.location())) {
            own = identity(snapshot).id();
        }
        store.all().reversed().stream()
                .map(BlobKey::organization)
                .filter(installation -> !installation.equals(own))
                .findFirst()
                .ifPresent(installation -> {
                    throw new BackupException("The backups there are of another installation (" + installation
                            + "): name another folder or prefix.");
                });
    }

    /** The newest backup that can be read and that nobody else wrote. */
    private Optional<Manifest> previous() {
        for (BlobKey key : store.all().reversed()) {
            try {
                Manifest manifest = store.manifest(key);
                String unsealed = origin.vault.map(manifest::requireSeal).orElse(null);
                if (unsealed == null) {
                    return Optional.of(manifest);
                }
                report.accept(unsealed + " So nothing that it says is relied upon.");
            } catch (BackupException unusable) {
                report.accept(String.valueOf(unusable.getMessage()));
            }
        }
        return Optional.empty();
    }

    /** What seals the manifest: the master key of this installation, and no other one. */
    private Optional<Vault> vault(Snapshot.Identity source) {
        if (origin.vault.isEmpty()) {
            report.accept("No master key was named, so nothing vouches for this backup (it has no seal): name it by"
                    + " INBOXD_SECRET_KEY or --secret-key-file.");
            return Optional.empty();
        }
        try {
            origin.vault.get().open("check value", source.keyCheck());
            return origin.vault;
        } catch (Vault.KeyException another) {
            report.accept("The master key of the settings is not the one of this installation, so nothing vouches for"
                    + " this backup (it has no seal).");
            return Optional.empty();
        }
    }

    /** The installation, whose blobs are those that its database names. */
    private Snapshot.Identity identity(Snapshot snapshot) {
        Snapshot.Identity source = snapshot.identity()
                .orElseThrow(() -> new BackupException(
                        "The service was never started on this database: there is nothing to back up."));
        if (!origin.blobs.storeId().equals(Optional.of(source.store()))) {
            throw new BackupException("The blob store is not the one of this database, or its disk is not mounted: name"
                    + " the right one in INBOXD_BLOB_URL.");
        }
        return source;
    }

    private List<Manifest.Table> tables(Snapshot snapshot, BackupLease lease) {
        List<Manifest.Table> tables = new ArrayList<>();
        for (TableLayout table : snapshot.tables()) {
            StoredList pages = new StoredList(store);
            TableDigest digest = snapshot.read(table, chunk -> {
                lease.require();
                pages.add(ChunkEntry.of(chunk, add(table, chunk)).json());
            });
            tables.add(new Manifest.Table(table, digest, pages.end()));
            written += pages.written();
        }
        return tables;
    }

    /** Stores a chunk; how many octets lie in the store. */
    private long add(TableLayout table, RowChunk chunk) {
        BackupStore.Stored stored = store.put(chunk.sha256(), chunk.content());
        chunks++;
        newChunks += stored.isNew() ? 1 : 0;
        written += stored.written();
        rowsDone += chunk.rows();
        bytesDone += chunk.content().length;
        progress.accept("rows: " + table.table() + ", " + rowsDone + " rows, " + (bytesDone >> 20) + " MiB read, "
                + (written >> 20) + " MiB written");
        return stored.octets();
    }
}
