package dev.inboxd.base.blob;

import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;

/** A blob store in front of another one, for what watches or disturbs it. */
public class ForwardingBlobs implements Blobs {
    private final Blobs blobs;

    /** In front of that store, which closes with this one. */
    protected ForwardingBlobs(Blobs blobs) {
        this.blobs = blobs;
    }

    @Override
    public void put(BlobKey key, InputStream content, long size) {
        blobs.put(key, content, size);
    }

    @Override
    public InputStream open(BlobKey key, long offset, long length) {
        return blobs.open(key, offset, length);
    }

    @Override
    public OptionalLong size(BlobKey key) {
        return blobs.size(key);
    }

    @Override
    public void delete(BlobKey key) {
        blobs.delete(key);
    }

    @Override
    public void walk(Consumer<StoredBlob> visitor) {
        blobs.walk(visitor);
    }

    @Override
    public Optional<UUID> storeId() {
        return blobs.storeId();
    }

    @Override
    public void writeStoreId(UUID id) {
        blobs.writeStoreId(id);
    }

    @Override
    public void close() {
        blobs.close();
    }
}
