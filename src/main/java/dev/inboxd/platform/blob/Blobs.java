package dev.inboxd.platform.blob;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The blob store. Blobs are written once and never changed; a key that exists already keeps its octets. Blocking; call
 * from virtual threads and never inside a database transaction. Thread-safe. What is wrong with a blob is a {@link
 * BlobException}; a store that is away, full or failing, a {@link Problem} with {@link ErrorCode#SERVICE_UNAVAILABLE}.
 */
public interface Blobs extends AutoCloseable {
    /**
     * The store at this URL: a path, {@code file:/path}, or
     * {@code s3://[key:secret@]bucket[/prefix][?endpoint=https://…&region=…]}; without key and secret the standard AWS
     * environment variables count.
     *
     * @throws IllegalArgumentException with a sentence about what is wrong
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
     * @param size how many octets it holds
     */
    void put(BlobKey key, InputStream content, long size);

    /**
     * Opens a part of a blob.
     *
     * @param offset first octet wanted, from 0; beyond the end the stream is empty
     * @param length most octets wanted
     */
    InputStream open(BlobKey key, long offset, long length);

    /** Opens a whole blob. */
    default InputStream open(BlobKey key) {
        return open(key, 0, Long.MAX_VALUE);
    }

    /**
     * Deletes a blob. Never fails, because the rows were committed and the caller is to be told so
     * (ruling 11): what cannot be deleted now goes with a later {@link #walk}.
     */
    void delete(BlobKey key);

    /** Visits every blob there is, in no particular order; those written meanwhile may be missed. */
    void walk(Consumer<StoredBlob> visitor);

    @Override
    void close();
}
