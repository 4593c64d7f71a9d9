package dev.inboxd.base.blob;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Paths in a store, and what stands at them. */
final class BlobPaths {
    /** The file or object with the id of the store. */
    static final String STORE_ID = "store.id";

    private BlobPaths() {}

    /** The id in the marker of a store. */
    static Optional<UUID> storeId(String content) {
        try {
            return Optional.of(UUID.fromString(content.strip()));
        } catch (IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    /** The key of a path, or null for any other file in the folder or bucket. */
    static @Nullable BlobKey key(String path) {
        List<String> parts = List.of(path.split("/", -1));
        if (parts.size() != 3 || !BlobKey.isName(parts.get(2))) {
            return null;
        }
        try {
            BlobKey key = new BlobKey(UUID.fromString(parts.getFirst()), parts.get(2));
            return key.path().equals(path) ? key : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
