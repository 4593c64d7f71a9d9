package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.io.SortedLines;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What goes when only the newest backups are kept. What they need and what lies there are both gone through in the
 * order of their names, so that no list of all is in memory.
 */
final class PruneList implements AutoCloseable {
    /** Behind the name of what was put aside: sorts behind the same that lies in its place. */
    private static final String DAMAGED = " aside";

    private final BackupStore store;
    private final List<BlobKey> old;
    private final SortedLines needed = new SortedLines();
    /** Kept backups that cannot be read, by their ids. */
    private final List<String> unknown = new ArrayList<>();

    private PruneList(BackupStore store, List<BlobKey> old) {
        this.store = store;
        this.old = old;
    }

    /**
     * Reads what the kept backups need.
     *
     * @param backupsToKeep how many; at least one
     */
    static PruneList of(BackupStore store, int backupsToKeep) {
        List<BlobKey> all = store.all();
        int first = Math.max(0, all.size() - backupsToKeep);
        PruneList list = new PruneList(store, List.copyOf(all.subList(0, first)));
        try {
            all.subList(first, all.size()).forEach(list::need);
        } catch (RuntimeException unreadable) {
            list.close();
            throw unreadable;
        }
        return list;
    }

    private void need(BlobKey backup) {
        try {
            need(store.manifest(backup));
        } catch (BackupException damaged) {
            unknown.add(backup.name());
        }
    }

    private void need(Manifest manifest) {
        manifest.tables()
                .forEach(table -> table.pages().forEach(page -> {
                    needed.add(line(BackupStore.rowKey(page)));
                    StoredList.forEachEntry(
                            store,
                            page,
                            entry -> needed.add(line(ChunkEntry.of(entry).key())));
                }));
        manifest.blobs().pages().forEach(page -> {
            needed.add(line(BackupStore.rowKey(page)));
            StoredList.forEachEntry(
                    store, page, entry -> needed.add(line(BlobEntry.of(entry).key())));
        });
    }

    /**
     * Deletes the old manifests first, then what they alone named.
     *
     * @return the kept backups that are damaged, so that what they need is not known and nothing else was deleted
     */
    List<String> run() {
        old.forEach(store.manifests()::delete);
        if (unknown.isEmpty()) {
            deleteUnneeded();
        }
        return List.copyOf(unknown);
    }

    private void deleteUnneeded() {
        try (SortedLines storedLines = new SortedLines()) {
            store.rows().walk(stored -> storedLines.add(line(stored.key())));
            store.blobs().walk(stored -> storedLines.add(line(stored.key())));
            store.damaged().walk(stored -> storedLines.add(line(stored.key()) + DAMAGED));
            try (SortedLines.Cursor neededCursor = needed.sorted();
                    SortedLines.Cursor storedCursor = storedLines.sorted()) {
                @Nullable String want = neededCursor.next();
                for (String line = storedCursor.next(); line != null; line = storedCursor.next()) {
                    boolean isAside = line.endsWith(DAMAGED);
                    String name = isAside ? line.substring(0, line.length() - DAMAGED.length()) : line;
                    while (want != null && want.compareTo(name) < 0) {
                        want = neededCursor.next();
                    }
                    prune(key(name), isAside, name.equals(want));
                }
            }
        }
    }

    /** What was put aside is of no use any more when it is not needed, or lies in its place again. */
    private void prune(BlobKey key, boolean isAside, boolean isNeeded) {
        if (isAside && (!isNeeded || store.place(key).size(key).isPresent())) {
            store.damaged().delete(key);
        } else if (!isAside && !isNeeded) {
            store.place(key).delete(key);
        }
    }

    private static String line(BlobKey key) {
        return key.organization() + " " + key.name();
    }

    private static BlobKey key(String line) {
        int space = line.indexOf(' ');
        return new BlobKey(UUID.fromString(line.substring(0, space)), line.substring(space + 1));
    }

    @Override
    public void close() {
        needed.close();
    }
}
