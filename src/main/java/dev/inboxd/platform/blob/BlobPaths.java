package dev.inboxd.platform.blob;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a path of the store back into its key. */
final class BlobPaths {
    private BlobPaths() {}

    /** The key whose path this is, or null for anything else that lies in the folder or bucket. */
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
