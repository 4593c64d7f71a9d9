package dev.inboxd.platform.blob;

import java.time.Instant;

/**
 * A blob as the store lists it.
 *
 * @param key its key
 * @param bytes its length
 * @param storedAt when it was written, by the store's clock
 */
public record StoredBlob(BlobKey key, long bytes, Instant storedAt) {}
