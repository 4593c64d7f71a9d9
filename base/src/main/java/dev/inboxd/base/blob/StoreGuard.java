package dev.inboxd.base.blob;

import dev.inboxd.base.error.Problem;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
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
    private static final String MISMATCH = "the blob store is another one, or not mounted";
    private static final String AWAY = "the blob store does not answer, or cannot be read";
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Blobs blobs;
    private final UUID id;
    private final Duration fresh;
    private final BooleanSupplier held;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile long seenAt;
    private volatile long lookedAt;
    private volatile @Nullable String fault;
    private volatile @Nullable String outage;

    /**
     * In front of a store, which closes with this one.
     *
     * @param id of the installation's store
     * @param fresh for so long a marker that was read counts; to read it again costs a request where the store is S3
     * @param held whether nothing may be deleted now, asked before each deletion; it may throw a {@link Problem}
     */
    public StoreGuard(Blobs blobs, UUID id, Duration fresh, BooleanSupplier held) {
        this.blobs = blobs;
        this.id = id;
        this.fresh = fresh;
        this.held = held;
        this.seenAt = longAgo();
        this.lookedAt = longAgo();
    }

    @Override
    public void put(BlobKey key, InputStream content, long size) {
        try {
            requireOwn();
            blobs.put(key, content, size);
        } catch (Problem away) {
            lookedAt = longAgo();
            throw away;
        }
    }

    @Override
    public InputStream open(BlobKey key, long offset, long length) {
        try {
            return blobs.open(key, offset, length);
        } catch (BlobException failure) {
            if (failure.kind() == BlobException.Kind.MISSING) {
                checkMarker();
            }
            throw failure;
        } catch (Problem away) {
            lookedAt = longAgo();
            throw away;
        }
    }

    @Override
    public OptionalLong size(BlobKey key) {
        return blobs.size(key);
    }

    @Override
    public void delete(BlobKey key) {
        try {
            requireOwn();
            if (held.getAsBoolean()) {
                return;
            }
        } catch (Problem away) {
            return; // never fails; the sweep deletes it
        }
        blobs.delete(key);
    }

    @Override
    public void walk(Consumer<StoredBlob> visitor) {
        checkMarker();
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

    @Override
    public @Nullable String fault() {
        refresh();
        return fault;
    }

    @Override
    public @Nullable String outage() {
        refresh();
        String currentFault = fault;
        return currentFault == null ? outage : currentFault;
    }

    @Override
    public void close() {
        blobs.close();
    }

    /**
     * Looks at the store when the last look is old or something failed since. Strangers may ask for the health of this
     * node as often as they like: there is one look at a time, and nobody waits long for a store that hangs.
     */
    private void refresh() {
        boolean usable = fault == null && outage == null;
        Duration pause = usable || fresh.compareTo(PAUSE) < 0 ? fresh : PAUSE;
        if (System.nanoTime() - lookedAt <= pause.toNanos() || !looking.compareAndSet(false, true)) {
            return;
        }
        try {
            if (!Thread.ofVirtual().name("store-look").start(this::lookOnce).join(PATIENCE)) {
                outage = AWAY;
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookOnce() {
        try {
            checkMarker();
        } catch (Problem away) {
            LOG.debug("The blob store is away", away); // noted, and logged where it was found
        } finally {
            looking.set(false);
        }
    }

    private void requireOwn() {
        if (System.nanoTime() - seenAt > fresh.toNanos()) {
            checkMarker();
        }
    }

    private long longAgo() {
        return System.nanoTime() - Math.max(fresh.toNanos(), PAUSE.toNanos()) - 1;
    }

    private void checkMarker() {
        Optional<UUID> marker = marker();
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
        fault = MISMATCH;
        seenAt = longAgo();
        throw BlobOutage.away();
    }

    private Optional<UUID> marker() {
        try {
            Optional<UUID> marker = blobs.storeId();
            if (outage != null) {
                LOG.warn("The blob store answers again");
            }
            outage = null;
            return marker;
        } catch (Problem away) {
            outage = AWAY;
            seenAt = longAgo();
            throw away;
        } finally {
            lookedAt = System.nanoTime();
        }
    }
}
