package dev.inboxd.blob;

import java.io.InputStream;

/** placeholder. */
public interface Blobs {
    /** put. */
    void put(BlobKey key, InputStream source, long size);

    /** open. */
    InputStream open(BlobKey key, long offset);

    /** delete. */
    void delete(BlobKey key);
}
