package dev.inboxd.base.blob;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The blob store. Blobs are written once and never changed; an existing key keeps its octets. Blocking: call it from
 * virtual threads and never inside a database transaction. Thread-safe. A failure of one blob is a {@link
 * BlobException}; an unreachable, full or failing store is a {@link Problem} with {@link
 * ErrorCode#SERVICE_UNAVAILABLE}.
 */
public interface Blobs extends AutoCloseable {
    /**
     * Opens the store at a URL: a path, {@code file:/path}, or {@code
     * s3://[key:secret@]bucket[/prefix][?endpoint=https://…&region=…]}. Without key and secret, the standard AWS
     * environment variables apply.
     *
     * @throws IllegalArgumentException when the URL is malformed; the message says where
     */
    static Blobs at(String url) {
        if (url.startsWith("s3:")) {
            return new S3Blobs(S3Location.parse(url));
        }
        return new FileBlobs(Path.of(url.startsWith("file:") ? url.replaceFirst("^file:(//(?=/))?", "") : url));
    }

    /**
     * Stores a blob; on return it survives a power loss.
     *
     * @param content read to its end, not closed
     * @param size number of its octets
     * @throws BlobException when the content has another size
     */
    void put(BlobKey key, InputStream content, long size);

    /**
     * Opens a part of a blob.
     *
     * @param offset first octet, from 0; beyond the end the stream is empty
     * @param length maximum number of octets
     */
    InputStream open(BlobKey key, long offset, long length);

    /** Opens a whole blob. */
    default InputStream open(BlobKey key) {
        return open(key, 0, Long.MAX_VALUE);
    }

    /** The number of a blob's octets; empty when there is no such blob. */
    OptionalLong size(BlobKey key);

    /**
     * Deletes a blob. Never fails, because the rows are committed and the caller is to get that answer (ruling 11): a
     * blob that cannot be deleted now is deleted after a later {@link #walk}.
     */
    void delete(BlobKey key);

    /**
     * Visits every blob, those of an organization one after another; it may miss those written meanwhile. What it has
     * in memory does not grow with the store.
     *
     * @param visitor may throw, which ends the walk
     */
    void walk(Consumer<StoredBlob> visitor);

    /**
     * Reads the marker of the store, {@code store.id} at its root. Nodes of one database know by it that they have the
     * same store, and that its disk is mounted.
     *
     * @return empty when there is none, or none that is an id
     */
    Optional<UUID> storeId();

    /** Writes the marker of a store that has none; on return it survives a power loss. */
    void writeStoreId(UUID id);

    /** Why this node must not be used with its store, for people; null when nothing is known against it. */
    default @Nullable String fault() {
        return null;
    }

    /**
     * Why nothing can be read from or written to the store at present, for people: what {@link #fault} says, or that it
     * is away, which is the same for every node. Null when nothing is known against it.
     */
    default @Nullable String outage() {
        return fault();
    }

    @Override
    void close();
}
