package dev.inboxd.backup;

import dev.inboxd.platform.blob.BlobException;
import dev.inboxd.platform.database.copy.DigestSum;
import dev.inboxd.platform.database.copy.KeyRange;
import dev.inboxd.platform.database.copy.RowChunk;
import dev.inboxd.platform.database.copy.TableDigest;
import dev.inboxd.platform.vault.Vault;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Reads a backup from its beginning to its end, and sees that it is all there and unchanged. */
public final class BackupCheck {
    private final BackupStore store;
    private final Manifest manifest;
    private final Consumer<String> progress;
    private final List<String> faults = new ArrayList<>();

    /** @param progress is told now and then what is being done, for people */
    public BackupCheck(BackupStore store, Manifest manifest, Consumer<String> progress) {
        this.store = store;
        this.manifest = manifest;
        this.progress = progress;
    }

    /** A sentence for each fault; none when the backup can be restored. */
    public List<String> faults() {
        manifest.tables().forEach(this::check);
        for (String page : manifest.blobs().pages()) {
            guarded(() -> EntryPages.each(store, page, line -> check(BlobEntry.of(line))));
        }
        manifest.blobs()
                .missing()
                .forEach(path -> faults.add("The blob " + path + " was missing when the backup was made."));
        return List.copyOf(faults);
    }

    private void check(Manifest.Table table) {
        // Without a key: what is sealed stays sealed, as it was when the digest was made.
        Vault none = new Vault(List.of());
        DigestSum sum = new DigestSum(table.layout().table());
        guarded(() -> {
            table.pages()
                    .forEach(page -> EntryPages.each(store, page, line -> {
                        ChunkEntry entry = ChunkEntry.of(line);
                        byte[] content = store.content(entry.sha256());
                        sum.add(
                                table.layout(),
                                new RowChunk(KeyRange.ALL, entry.first(), entry.last(), entry.rows(), content),
                                none);
                        progress.accept("checked: rows of " + table.layout().table());
                    }));
            TableDigest found = sum.sum();
            if (!found.equals(table.digest())) {
                faults.add("The table " + table.layout().table() + " has " + found.rows() + " rows in the backup, which"
                        + " are not the " + table.digest().rows() + " of its manifest.");
            }
        });
    }

    private void check(BlobEntry entry) {
        OptionalLong size = store.blobs().size(entry.key());
        if (size.isEmpty()) {
            faults.add("The blob " + entry.key().path() + " is missing.");
        } else if (size.getAsLong() != entry.bytes() || !isWhole(entry)) {
            faults.add("The blob " + entry.key().path() + " does not have the content that it had.");
        }
        progress.accept("checked: blobs");
    }

    private boolean isWhole(BlobEntry entry) {
        try {
            return Attempts.of(() -> BlobTransfer.digest(store.blobs(), entry.key()))
                    .equals(entry.sha256());
        } catch (BlobException gone) {
            return false;
        }
    }

    private void guarded(Runnable part) {
        try {
            part.run();
        } catch (BackupException damaged) {
            faults.add(String.valueOf(damaged.getMessage()));
        }
    }
}
