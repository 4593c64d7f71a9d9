package dev.inboxd.platform.blob;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Parses a path of the store into a key. */
final class BlobPaths {
    private BlobPaths() {}

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
