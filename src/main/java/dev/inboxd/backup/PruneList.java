package dev.inboxd.backup;

import dev.inboxd.platform.blob.BlobKey;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What goes when only the newest backups are kept, and what they need: 16 octets in memory for each name. */
final class PruneList {
    private final List<BlobKey> manifests;
    private final Set<UUID> needed = new HashSet<>();

    private PruneList(List<BlobKey> manifests) {
        this.manifests = manifests;
    }

    /**
     * Reads what the kept backups need.
     *
     * @param kept how many; at least one
     */
    static PruneList of(BackupStore store, int kept) {
        List<BlobKey> all = store.all();
        int first = Math.max(0, all.size() - kept);
        PruneList list = new PruneList(List.copyOf(all.subList(0, first)));
        for (BlobKey key : all.subList(first, all.size())) {
            Manifest manifest = store.manifest(key);
            manifest.tables()
                    .forEach(table -> table.pages().forEach(page -> {
                        list.needed.add(hashed(page));
                        EntryPages.each(
                                store,
                                page,
                                line -> list.needed.add(
                                        hashed(ChunkEntry.of(line).sha256())));
                    }));
            manifest.blobs().pages().forEach(page -> {
                list.needed.add(hashed(page));
                EntryPages.each(
                        store,
                        page,
                        line -> list.needed.add(hashed(BlobEntry.of(line).key().path())));
            });
        }
        return list;
    }

    /** The manifests that go. */
    List<BlobKey> manifests() {
        return manifests;
    }

    /** Whether a kept backup needs rows by their digest, or a blob by its path. */
    boolean isNeeded(String name) {
        return needed.contains(hashed(name));
    }

    private static UUID hashed(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.US_ASCII));
    }
}
