package dev.inboxd.platform.blob;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of an installation. A disk may be unmounted while the service runs, and another one mounted in its place:
 * then nothing is written there or swept from there, and a blob that is not found there is no blob that was deleted.
 */
public final class StoreGuard implements Blobs {
    private static final Logger LOG = LoggerFactory.getLogger(StoreGuard.class);
    private final Blobs blobs;
    private final UUID id;
    private final Duration fresh;
    private volatile long seenAt;
    private volatile @Nullable String fault;

    /**
     * In front of a store, which closes with this one.
     *
     * @param id of the installation's store
     * @param fresh for so long a marker that was read counts; to read it again costs a request where the store is S3
     */
    public StoreGuard(Blobs blobs, UUID id, Duration fresh) {
        this.blobs = blobs;
        this.id = id;
        this.fresh = fresh;
        this.seenAt = longAgo();
    }

    @Override
    public void put(BlobKey key, InputStream content, long size) {
        requireOwn();
        blobs.put(key, content, size);
    }

    @Override
    public InputStream open(BlobKey key, long offset, long length) {
        try {
            return blobs.open(key, offset, length);
        } catch (BlobException failure) {
            if (failure.kind() == BlobException.Kind.MISSING) {
                look();
            }
            throw failure;
        }
    }

    @Override
    public void delete(BlobKey key) {
        try {
            requireOwn();
        } catch (Problem away) {
            return; // never fails; the sweep deletes it
        }
        blobs.delete(key);
    }

    @Override
    public void walk(Consumer<StoredBlob> visitor) {
        look();
        blobs.walk(visitor);
    }

    @Override
    public Optional<UUID> storeId() {
        return blobs.storeId();
    }

    @Override
    public void writeStoreId(UUID written) {
        blobs.writeStoreId(written);
    }

    /** Looks at the store; a store that is away is not the fault of this node. */
    @Override
    public @Nullable String fault() {
        try {
            requireOwn();
        } catch (Problem away) {
            return fault;
        }
        return null;
    }

    @Override
    public void close() {
        blobs.close();
    }

    private void requireOwn() {
        if (System.nanoTime() - seenAt > fresh.toNanos()) {
            look();
        }
    }

    private long longAgo() {
        return System.nanoTime() - fresh.toNanos() - 1;
    }

    private void look() {
        Optional<UUID> marker = blobs.storeId();
        if (marker.equals(Optional.of(id))) {
            if (fault != null) {
                LOG.warn("The blob store is the right one again");
            }
            fault = null;
            seenAt = System.nanoTime();
            return;
        }
        if (fault == null) {
            LOG.error(
                    "The blob store is not the one of this installation, or its disk is not mounted: its store.id is"
                            + " {} and must be {}",
                    marker.map(UUID::toString).orElse("missing"),
                    id);
        }
        fault = "the blob store is another one, or not mounted";
        seenAt = longAgo();
        throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The store of large messages is full or away")
                .retryAfter(Duration.ofSeconds(5));
    }
}
