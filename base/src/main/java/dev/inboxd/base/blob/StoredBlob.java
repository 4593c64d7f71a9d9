package dev.inboxd.base.blob;

import java.time.Instant;

/**
 * An entry of the store's listing.
 *
 * @param key its key
 * @param bytes its length
 * @param storedAt time of writing, by the store's clock
 */
public record StoredBlob(BlobKey key, long bytes, Instant storedAt) {}
