package dev.inboxd.base.blob;

import dev.inboxd.base.error.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store is unreachable, full or failing. Callers get one and the same answer in all three cases (promise P15). */
final class BlobOutage {
    private static final Logger LOG = LoggerFactory.getLogger(BlobOutage.class);

    private BlobOutage() {}

    /**
     * Logs the cause.
     *
     * @return the 503 for the caller
     */
    static Problem of(String what, Exception cause) {
        LOG.warn("{}: {}", what, cause.toString());
        return Blobs.away();
    }

    /** Logs a failed deletion. The blob has no row any more, so the next sweep deletes it. */
    static void rethrow(BlobKey key, Exception cause) {
        LOG.warn("The blob {} could not be deleted and is left to the sweep: {}", key.path(), cause.toString());
    }
}
