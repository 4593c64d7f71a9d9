package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.database.copy.RowChunk;
import dev.inboxd.base.database.copy.RowKey;
import dev.inboxd.base.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A chunk as a backup lists it.
 *
 * @param sha256 of its content, under which it lies
 * @param rows how many rows it has
 * @param bytes of its content
 * @param first the key of its first row; null when it has none
 * @param last the key of its last row; null when it has none
 * @param stored how many octets lie in the store; 0 in lists of earlier versions, which did not note it
 */
record ChunkEntry(
        String sha256,
        int rows,
        long bytes,
        @Nullable RowKey first,
        @Nullable RowKey last,
        long stored) {
    static ChunkEntry of(RowChunk chunk, long stored) {
        return new ChunkEntry(
                chunk.sha256(), chunk.rows(), chunk.content().length, chunk.first(), chunk.last(), stored);
    }

    static ChunkEntry of(Map<?, ?> line) {
        return new ChunkEntry(
                Members.text(line, "sha256"),
                (int) Members.number(line, "rows"),
                Members.number(line, "bytes"),
                key(line.get("first")),
                key(line.get("last")),
                line.get("stored") instanceof Number stored ? stored.longValue() : 0);
    }

    JsonObject json() {
        return JsonObject.of("sha256", sha256)
                .with("rows", rows)
                .with("bytes", bytes)
                .with("first", first == null ? null : first.values())
                .with("last", last == null ? null : last.values())
                .with("stored", stored);
    }

    /** Its place in the store of rows. */
    BlobKey key() {
        return BackupStore.rowKey(sha256);
    }

    private static @Nullable RowKey key(@Nullable Object values) {
        return values instanceof List<?> texts
                ? new RowKey(texts.stream().map(String::valueOf).toList())
                : null;
    }
}
