package dev.inboxd.sandbox.fault;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.BlobOutage;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.blob.StoredBlob;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store that is away for some organizations, or full. */
public final class FaultyBlobs implements Blobs {
    private final Blobs blobs;
    private final WorldFaults faults;

    /** In front of a store, which closes with this one. */
    public FaultyBlobs(Blobs blobs, WorldFaults faults) {
        this.blobs = blobs;
        this.faults = faults;
    }

    @Override
    public void put(BlobKey key, InputStream content, long size) {
        requireThere(key);
        if (faults.meet(key.organization(), FaultKind.DISK, _ -> true).isPresent()) {
            throw BlobOutage.away();
        }
        blobs.put(key, content, size);
    }

    @Override
    public InputStream open(BlobKey key, long offset, long length) {
        requireThere(key);
        return blobs.open(key, offset, length);
    }

    @Override
    public OptionalLong size(BlobKey key) {
        requireThere(key);
        return blobs.size(key);
    }

    private void requireThere(BlobKey key) {
        if (faults.meet(key.organization(), FaultKind.STORE, _ -> true).isPresent()) {
            throw BlobOutage.away();
        }
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
    public @Nullable String fault() {
        return blobs.fault();
    }

    @Override
    public @Nullable String outage() {
        return blobs.outage();
    }

    @Override
    public void close() {
        blobs.close();
    }
}
