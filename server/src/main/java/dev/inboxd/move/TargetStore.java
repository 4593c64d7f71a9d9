package dev.inboxd.move;

import dev.inboxd.base.blob.Blobs;
import java.util.Optional;
import java.util.UUID;

/** The blob store of the target: an empty one gets an id of its own, and the source's goes over with its blobs. */
record TargetStore(Blobs blobs) {
    /**
     * Claims it.
     *
     * @param own the id that an empty store gets
     * @param source the id of the source's store
     * @return its id from now on
     */
    UUID claim(UUID own, UUID source) {
        Optional<UUID> storeId = blobs.storeId();
        if (storeId.isEmpty()) {
            blobs.writeStoreId(own);
            return own;
        }
        if (storeId.get().equals(own) || storeId.get().equals(source)) {
            return storeId.get();
        }
        throw new MoveException("The blob store of the target belongs to another installation (its store.id is "
                + storeId.get() + "): name an empty one with --to-blob-url, or the source's.");
    }
}
